/**
 * JSON out of what nearly is: the round quotes of web pages, the single quotes and bare names of JavaScript and Python,
 * a missing comma between two lines, missing brackets at the end, dots for what is left out. It still has to be read:
 * nothing is run.
 */
export function repairJson(text: string): string {
  const whole = text.replaceAll(
    /(?<=[[{,]\s{0,200})(?:\.{3}|…)\s{0,200},?(?=\s{0,200}["\]}])/g,
    '',
  );
  const straight = whole.replaceAll(/[“”„]/g, '"');
  const quoted = straight.includes('"') ? straight : straight.replaceAll("'", '"');
  const named = quoted.replaceAll(/([{,]\s{0,200})([A-Za-z_$][\w$-]{0,60})(?=\s?:)/g, '$1"$2"');
  const parted = named.replaceAll(
    /(["}\]])(\s{1,200})(?="[^"\n]{1,200}"\s?:)/g,
    (both, end: string, blank: string) => (blank.includes('\n') ? `${end},${blank}` : both),
  );
  return parted + missingEnds(parted);
}

/** The brackets that are still open at the end. */
function missingEnds(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === '}' || token === ']') open.pop();
  }
  return open.toReversed().join('');
}
