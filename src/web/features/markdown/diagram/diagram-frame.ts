import mermaid from 'mermaid';
import {
  type DiagramAnswer,
  diagramLimits,
  type DiagramLook,
  type DiagramRequest,
} from './diagram-protocol.ts';

/**
 * The script of a page of its own that runs in a sandboxed frame: no origin, no network, no storage.
 * It draws what its parent sends and answers with text; the parent shows that as a picture.
 */
addEventListener('message', (event: MessageEvent<DiagramRequest>) => {
  const [port] = event.ports;
  if (event.source !== parent || !port) return;
  void answer(event.data).then((drawn) => port.postMessage(drawn));
});

let count = 0;

async function answer({ source, look }: DiagramRequest): Promise<DiagramAnswer> {
  try {
    mermaid.initialize(optionsFor(look));
    count += 1;
    const { svg } = await mermaid.render(`diagram-${count}`, source);
    return { svg: standAlone(svg, look) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: reason.split('\n', 1)[0] ?? '' };
  } finally {
    document.body.replaceChildren();
  }
}

/** What a diagram cannot set for itself. */
const ownOptions = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
  'layout',
  'elk',
];

function optionsFor(look: DiagramLook): Parameters<typeof mermaid.initialize>[0] {
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    deterministicIds: true,
    maxTextSize: diagramLimits.source,
    maxEdges: 500,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: 'base',
    fontFamily: look.font,
    secure: ownOptions,
    themeCSS: `
      .edgeLabel rect { opacity: 1; fill: ${look.canvas}; }
      .node *, .actor, .note { filter: none !important; }
    `,
    themeVariables: coloursOf(look),
  };
}

/** The page's colours, by the names that they have there. */
function coloursOf(look: DiagramLook) {
  return {
    darkMode: look.dark,
    fontFamily: look.font,
    background: look.canvas,
    primaryColor: look.soft,
    primaryTextColor: look.ink,
    primaryBorderColor: look.accent,
    secondaryColor: look.sunken,
    tertiaryColor: look.sunken,
    lineColor: look.muted,
    textColor: look.ink,
    edgeLabelBackground: look.canvas,
    clusterBkg: look.sunken,
    clusterBorder: look.line,
    noteBkgColor: look.sunken,
    noteTextColor: look.ink,
    noteBorderColor: look.line,
  };
}

/** A document that is as large as its drawing, well-formed, on the page's ground. */
function standAlone(svg: string, look: DiagramLook): string {
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const root = holder.querySelector('svg');
  if (!root) throw new Error('Nothing was drawn.');
  const { width, height } = root.viewBox.baseVal;
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  root.style.maxWidth = '';
  root.style.background = look.canvas;
  return new XMLSerializer().serializeToString(root);
}
