/** Tiles from the configured URL, laid out as images. */
import { element } from '../element.ts';
import { say } from '../words.ts';
import { type Ground, tileSize, type View } from './ground.ts';

export class TileGround implements Ground {
  readonly element = element('div', { class: 'map-tiles', 'aria-hidden': 'true' });
  readonly maxZoom = 18;
  readonly credit: string;
  /** URL with `{z}`, `{x}` and `{y}`. */
  #url: string;
  #images = new Map<string, HTMLImageElement>();

  constructor(url: string) {
    this.#url = url;
    this.credit = say('scriptTileGround.tiles', { host: hostOf(url) });
  }

  draw({ x, y, zoom, width, height }: View): void {
    const level = Math.max(0, Math.min(19, Math.round(zoom)));
    const count = 2 ** level;
    const size = tileSize * 2 ** (zoom - level);
    const [left, top] = [width / 2 - x * size * count, height / 2 - y * size * count];
    const wanted = new Set<string>();
    for (let column = Math.floor(-left / size); left + column * size < width; column++) {
      for (let row = Math.max(0, Math.floor(-top / size)); row < count && top + row * size < height; row++) {
        const key = `${level}/${column}/${row}`;
        wanted.add(key);
        let image = this.#images.get(key);
        if (!image) {
          const around = ((column % count) + count) % count;
          image = element('img', {
            alt: '',
            src: this.#url
              .replace('{z}', String(level))
              .replace('{x}', String(around))
              .replace('{y}', String(row)),
            referrerpolicy: 'no-referrer',
            draggable: 'false',
          });
          this.#images.set(key, image);
          this.element.append(image);
        }
        image.style.transform = `translate(${left + column * size}px, ${top + row * size}px)`;
        image.style.width = image.style.height = `${Math.ceil(size)}px`;
      }
    }
    for (const [key, image] of this.#images) {
      if (wanted.has(key)) continue;
      image.remove();
      this.#images.delete(key);
    }
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url.replace(/[{}]/g, ''), location.href).host;
  } catch {
    return '';
  }
}
