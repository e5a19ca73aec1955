const fence = '```';

/** Texts that would run or load something where markup is trusted; `canary` must never be asked. */
export function payloadsFor(canary: string): string[] {
  const run = (number: number) => `globalThis.harm=${number}`;
  return [
    `<img src="${canary}/img" onerror="${run(1)}">`,
    `<svg onload="${run(2)}"><image href="${canary}/svg"/><script>${run(3)}</script></svg>`,
    `<script>${run(4)}</script><script src="${canary}/script"></script>`,
    `<iframe src="${canary}/frame"></iframe><iframe srcdoc="<script>parent.harm=5</script>"></iframe>`,
    `<object data="${canary}/object"></object><embed src="${canary}/embed">`,
    `<base href="${canary}/"><meta http-equiv="refresh" content="0;url=${canary}/meta">`,
    `<form action="${canary}/form"><input autofocus onfocus="${run(6)}"></form>`,
    `<style>body{background:url(${canary}/css)}</style><link rel="stylesheet" href="${canary}/link">`,
    `<div style="background:url(${canary}/style)" onclick="${run(7)}">x</div>`,
    `<details open ontoggle="${run(8)}"><summary>x</summary></details>`,
    `<video src="${canary}/video" onerror="${run(9)}" autoplay></video>`,
    `[a](javascript:${run(10)}) [b](JaVaScRiPt&colon;${run(11)}) <javascript:${run(12)}>`,
    `[c](data:text/html,<script>${run(13)}</script>) [d](vbscript:x) [e](//evil.example/x)`,
    `![f](${canary}/markdown.png) [![g](${canary}/inner.png)](javascript:${run(14)})`,
    `![h](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+) ![i](javascript:${run(15)})`,
    `[j]\n\n[j]: javascript:${run(16)}`,
    `note[^n]\n\n[^n]: <img src="${canary}/note" onerror="${run(17)}"> [k](javascript:${run(18)})`,
    `| <img src="${canary}/cell"> | [l](javascript:${run(19)}) |\n|---|---|\n| ![m](${canary}/row.png) | x |`,
    `$\\href{javascript:${run(20)}}{x}$ $\\url{javascript:${run(21)}}$`,
    `$\\includegraphics{${canary}/katex.png}$ $\\htmlStyle{background:url(${canary}/math)}{x}$`,
    `$$\\def\\a{\\a\\a}\\a$$ $\\rule{99999em}{99999em}$ $\\text{</math><img src="${canary}/text">}$`,
    `${fence}mermaid\nflowchart LR\n  A["<img src='${canary}/a.png' onerror='${run(22)}'>"] --> B\n  click A href "javascript:${run(23)}"\n  click B call alert(1)\n${fence}`,
    `${fence}mermaid\n%%{init: {"securityLevel":"loose","htmlLabels":true,"flowchart":{"htmlLabels":true}}}%%\nflowchart LR\n  A["<img src='${canary}/b.png'><script>${run(24)}</script>"]\n${fence}`,
    `${fence}mermaid\n---\nconfig:\n  securityLevel: loose\n  themeCSS: "@import url(${canary}/import)"\n---\nflowchart LR\n  A-->B\n${fence}`,
    `${fence}mermaid\nflowchart LR\n  A-->B\n  style A fill:url(${canary}/fill)\n  classDef x background:url(${canary}/class)\n${fence}`,
    `${fence}html\n<img src="${canary}/code" onerror="${run(25)}">\n${fence}`,
    `${fence}"><img/src="${canary}/lang"onerror=${run(26)}>\nx\n${fence}`,
    `mailto:a@example.com?body=<script>${run(27)}</script> https://user:pass@evil.example`,
  ];
}
