/** Choosing the page's place on a map. */
import { loadStyle } from '../element.ts';

/** The map is loaded when its part of the form is opened. */
export function placeOnMap(form: HTMLFormElement): void {
  const box = form.querySelector<HTMLElement>('#place-map');
  const [lat, lon] = ['#lat', '#lon'].map((name) => form.querySelector<HTMLInputElement>(name));
  const closed = box?.closest('details');
  if (!box || !lat || !lon) return;
  let isAsked = false;
  const open = async () => {
    if (isAsked || (closed && !closed.open)) return;
    isAsked = true;
    const [{ pickMap }] = await Promise.all([import('../map/pick-map.ts'), loadStyle('map.css')]);
    const map = await pickMap(box, readPoint(lat, lon) ?? pointOfText(form), (point) => {
      lat.value = point.lat.toFixed(5);
      lon.value = point.lon.toFixed(5);
      const given = form.querySelector<HTMLInputElement>('input[name=place][value=given]');
      if (given) given.checked = true;
      lat.dispatchEvent(new Event('input', { bubbles: true }));
    });
    for (const field of [lat, lon]) field.addEventListener('input', () => map.show(readPoint(lat, lon)));
  };
  closed?.addEventListener('toggle', () => void open());
  void open();
}

function pointOfText(form: HTMLFormElement): { lat: number; lon: number } | undefined {
  const { lat, lon } = form.querySelector<HTMLElement>('#preview')?.dataset ?? {};
  return lat === undefined || lon === undefined ? undefined : { lat: Number(lat), lon: Number(lon) };
}

function readPoint(lat: HTMLInputElement, lon: HTMLInputElement): { lat: number; lon: number } | undefined {
  const [north, east] = [lat, lon].map(({ value }) =>
    /^[+-]?\d{1,3}([.,]\d+)?$/.test(value.trim()) ? Number(value.trim().replace(',', '.')) : Number.NaN,
  );
  if (north === undefined || east === undefined || !(Math.abs(north) <= 90) || !(Math.abs(east) <= 180))
    return undefined;
  return { lat: north, lon: east };
}
