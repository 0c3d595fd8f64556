/**
 * Runs in a frame of its own, `diagrams.html`: the library writes style sheets into its document, which pages do not allow. What
 * it draws goes back as a text, and is shown as a picture.
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
    // Text within the picture: HTML in it would be drawn by no program but a browser.
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
    // It says what is wrong with the text only to whoever writes it; readers see the text.
  }
  parent.postMessage(drawing, location.origin);
});
parent.postMessage('ready', location.origin);

/** A picture has the size of what is drawn on it, which otherwise takes all the width that there is. */
function withSize(svg: string): string {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (width && height) {
    root.setAttribute('width', String(Math.ceil(width)));
    root.setAttribute('height', String(Math.ceil(height)));
  }
  return new XMLSerializer().serializeToString(root);
}
