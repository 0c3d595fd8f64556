/** The tree beside the page can be resized (ARIA: window splitter); its width is remembered. */
import { element } from '../element.ts';
import { recall, remember } from '../remembered.ts';
import { say } from '../words.ts';

const storageKey = 'coppice:tree-width';
const [narrowest, usual, widest] = [160, 240, 480];

export function resizeTree(): void {
  const side = document.querySelector<HTMLElement>('.tree-side');
  const shell = side?.closest<HTMLElement>('.shell');
  if (!side || !shell) return;
  let width = clamp(Number(recall(storageKey)) || usual);
  const handle = element('div', {
    class: 'tree-handle',
    role: 'separator',
    tabindex: 0,
    'aria-label': say('scriptTreeWidth.widthOfTheTree'),
    'aria-orientation': 'vertical',
    'aria-valuemin': narrowest,
    'aria-valuemax': widest,
  });
  side.append(handle);
  if (width !== usual) set(width);
  handle.setAttribute('aria-valuenow', String(width));

  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => {
      const { left, right } = side.getBoundingClientRect();
      set(getComputedStyle(side).direction === 'rtl' ? right - clientX : clientX - left);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(width + step);
  });
  handle.addEventListener('dblclick', () => set(usual));

  function set(pixels: number): void {
    width = clamp(Math.round(pixels));
    shell?.style.setProperty('--tree-width', `${width}px`);
    handle.setAttribute('aria-valuenow', String(width));
    remember(storageKey, String(width));
  }
}

function clamp(pixels: number): number {
  return Math.min(widest, Math.max(narrowest, pixels));
}
