/** Entry point of pages with maps: all places, one page's place, or the places in search results. */
import { ask } from './ask.ts';
import { element } from './element.ts';
import { MapView } from './map/map-view.ts';
import { type MapPlace, PlaceLayer } from './map/place-layer.ts';
import { say } from './words.ts';

const listed = 300;
const kinds: Record<string, (box: HTMLElement) => void> = {
  all: allPlaces,
  page: onePlace,
  results: resultPlaces,
};

for (const box of document.querySelectorAll<HTMLElement>('[data-map]')) kinds[box.dataset.map ?? '']?.(box);

/** The list beside the map shows the same places: at first all, later those in view. */
function allPlaces(box: HTMLElement): void {
  const list = document.querySelector<HTMLElement>('.map-list');
  const known = placesOfList(list);
  const centre = readPoint(box);
  const map = new MapView(box, {
    label: say('scriptMap.mapOfAllPlaces'),
    centre: centre ?? { lat: 20, lon: 10 },
    zoom: 1.5,
    isFine: !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData,
  });
  const layer = new PlaceLayer(map);
  layer.show(known);
  if (centre) map.show(centre, 5);
  else map.fit(known, 8);
  const status = element('p', { class: 'quiet', role: 'status' });
  list?.prepend(status);
  let isMoved = false;

  for (const kind of ['pointerdown', 'wheel', 'keydown'])
    map.root.addEventListener(kind, () => (isMoved = true), { passive: true });
  followPlaces(box, map, (places) => {
    layer.show(places);
    if (isMoved && list) showList(list, status, places);
  });
  list?.addEventListener('pointerover', ({ target }) => layer.mark(idAt(target)));
  list?.addEventListener('pointerout', () => layer.mark(undefined));
  list?.addEventListener('focusin', ({ target }) => layer.mark(idAt(target)));
}

function showList(list: HTMLElement, status: HTMLElement, places: MapPlace[]): void {
  const sorted = [...places].sort((a, b) => a.title.localeCompare(b.title));
  const items = element(
    'ul',
    { class: 'places' },
    ...sorted
      .slice(0, listed)
      .map((place) =>
        element(
          'li',
          { 'data-place': place.id },
          element('a', { href: place.url, dir: 'auto' }, place.title),
          ' ',
          place.type ? element('span', { class: 'quiet', dir: 'auto' }, place.type) : undefined,
        ),
      ),
  );
  const words =
    places.length > listed
      ? say('scriptMap.placesFirst', { count: places.length, listed })
      : say('scriptMap.places', { count: places.length });
  if (status.textContent !== words) status.textContent = words;
  const before = list.querySelector('ul, .empty');
  if (before) before.replaceWith(items);
  else list.append(items);
}

function onePlace(box: HTMLElement): void {
  const centre = readPoint(box);
  if (!centre) return;
  const map = new MapView(box, {
    label: say('scriptMap.mapOf', { title: box.dataset.title ?? '' }),
    centre,
    zoom: Number(box.dataset.zoom),
    isSmall: true,
  });
  const layer = new PlaceLayer(map);
  const pin = element('div', { class: 'pin is-here', 'aria-hidden': 'true' }, element('span'));
  map.onMove(() => map.put(pin, centre));
  map.root.insertBefore(pin, map.layer);
  followPlaces(box, map, (places) => layer.show(places.filter(({ url }) => url !== location.pathname)));
}

function resultPlaces(box: HTMLElement): void {
  const results = [...document.querySelectorAll<HTMLElement>('[data-place][data-url]')];
  const places = results.flatMap((result): MapPlace[] => {
    const point = readPoint(result);
    const { place, title = '', url = '', type = '' } = result.dataset;
    return point ? [{ ...point, id: Number(place), title, url, type }] : [];
  });
  if (places.length === 0) return;
  const map = new MapView(box, {
    label: say('scriptMap.mapOfTheResults'),
    centre: places[0] ?? { lat: 0, lon: 0 },
    zoom: 2,
    isSmall: true,
  });
  const layer = new PlaceLayer(map);
  layer.show(places);
  map.fit(places, 5);
  for (const result of results) {
    result.addEventListener('pointerenter', () => layer.mark(Number(result.dataset.place)));
    result.addEventListener('pointerleave', () => layer.mark(undefined));
  }
}

/** Shows the places in view whenever the map stops moving. Offline, or if the map has moved on, the places already shown stay. */
function followPlaces(box: HTMLElement, map: MapView, show: (places: MapPlace[]) => void): void {
  const { places: url } = box.dataset;
  let running: AbortController | undefined;
  if (url === undefined) return;
  map.onSettled(async () => {
    running?.abort();
    running = new AbortController();
    // Six decimals are a tenth of a metre.
    const sides = Object.entries(map.box()).map(([name, degrees]) => [name, degrees.toFixed(6)]);
    const query = new URLSearchParams(sides);
    const found = await ask<{ places: MapPlace[] }>(`${url}?${query}`, { signal: running.signal });
    if (found) show(found.places);
  });
}

function placesOfList(list: HTMLElement | null): MapPlace[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].flatMap((item): MapPlace[] => {
    const link = item.querySelector('a');
    const point = readPoint(item);
    if (!link || !point) return [];
    const { place, type = '' } = item.dataset;
    const url = link.getAttribute('href') ?? '';
    return [{ ...point, id: Number(place), title: link.textContent ?? '', type, url }];
  });
}

function readPoint({ dataset }: HTMLElement): { lat: number; lon: number } | undefined {
  const point = { lat: Number(dataset.lat), lon: Number(dataset.lon) };
  return Number.isFinite(point.lat) && Number.isFinite(point.lon) ? point : undefined;
}

function idAt(target: EventTarget | null): number | undefined {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return item ? Number(item.dataset.place) : undefined;
}
