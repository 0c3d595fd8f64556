/**
 * Runs in a separate frame, `diagrams.html`, because the library adds style sheets to its document, which pages forbid.
 * Drawings are returned as text and shown as pictures.
 */
import type { Drawing, DrawRequest } from './page/diagrams.ts';

interface Mermaid {
  initialize(options: object): void;
  render(id: string, text: string): Promise<{ svg: string }>;
}

const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
const maxLength = 50_000;

addEventListener('message', async ({ data, source, origin }: MessageEvent<DrawRequest>) => {
  if (origin !== location.origin || source !== parent) return;
  const { number, text, isDark } = data;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // Text labels instead of HTML, which only browsers could draw.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: maxLength,
    theme: isDark ? 'dark' : 'neutral',
    fontFamily: 'system-ui, sans-serif',
  });
  const drawing: Drawing = { number, svg: undefined };
  try {
    const { svg } = await mermaid.render(`diagram-${number}`, text);
    drawing.svg = withSize(svg);
  } catch {
    // Syntax errors are for authors; readers see the source.
  }
  parent.postMessage(drawing, location.origin);
});
parent.postMessage('ready', location.origin);

/** Sets the size of the drawing, which would otherwise take the full width. */
function withSize(svg: string): string {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (width && height) {
    root.setAttribute('width', String(Math.ceil(width)));
    root.setAttribute('height', String(Math.ceil(height)));
  }
  return new XMLSerializer().serializeToString(root);
}
