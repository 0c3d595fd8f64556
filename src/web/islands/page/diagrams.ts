/** Draws diagrams in Mermaid's language; without scripts, or if a diagram is invalid, its source is shown. */
import { element } from '../element.ts';
import { say } from '../words.ts';

export interface DrawRequest {
  number: number;
  text: string;
  isDark: boolean;
}

/** `svg` is missing if the text is no valid diagram. */
export interface Drawing {
  number: number;
  svg: string | undefined;
}

const maxDiagrams = 50;

export function drawDiagrams(): void {
  const codes = [...document.querySelectorAll<HTMLElement>('.markup pre > code.language-mermaid')];
  if (codes.length === 0) return;
  const frame = element('iframe', {
    src: `${document.body.dataset.assets ?? '/assets/'}diagrams.html`,
    class: 'diagram-frame',
    'aria-hidden': 'true',
    tabindex: -1,
    title: 'Draws diagrams',
  });
  addEventListener('message', ({ source, origin, data }: MessageEvent<'ready' | Drawing>) => {
    if (origin !== location.origin || source !== frame.contentWindow) return;
    if (data !== 'ready') return show(codes[data.number], data.svg);
    const isDark = prefersDark();
    for (const [number, { textContent: text }] of codes.slice(0, maxDiagrams).entries())
      frame.contentWindow?.postMessage({ number, text, isDark } satisfies DrawRequest, location.origin);
  });
  document.body.append(frame);
}

function prefersDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** The source stays available for reading aloud, searching and copying. */
function show(code: HTMLElement | undefined, svg: string | undefined): void {
  const text = code?.parentElement;
  if (!text || svg === undefined) return;
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const picture = element('img', { src: url, alt: say('scriptDiagrams.diagramFollowedByItsText') });
  picture.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  const source = element('details', {}, element('summary', {}, say('scriptDiagrams.textOfTheDiagram')));
  const figure = element('figure', { class: 'diagram' }, picture, source);
  text.replaceWith(figure);
  source.append(text);
}
