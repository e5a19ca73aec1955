/** What the page asks of the frame that draws diagrams, with a port for the answer. */
export interface DiagramRequest {
  source: string;
  look: DiagramLook;
}

/** The colours of the page. */
export interface DiagramLook {
  dark: boolean;
  ink: string;
  muted: string;
  canvas: string;
  sunken: string;
  line: string;
  accent: string;
  soft: string;
  font: string;
}

/** The answer: a whole SVG document as text, or why there is none. */
export type DiagramAnswer = { svg: string } | { error: string };

/** Bounds of what is drawn, and of what is shown. */
export const diagramLimits = { source: 20_000, svg: 1_000_000, time: 5000, load: 20_000 } as const;
