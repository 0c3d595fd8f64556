/** A map for choosing the page's place by click. By keyboard, arrows move the map and Enter takes its centre. */
import { announce, element } from '../element.ts';
import { say } from '../words.ts';
import { MapView } from './map-view.ts';
import type { Point } from './world.ts';

interface PickMap {
  /** Moves the pin to the typed position; undefined removes it. */
  show(point: Point | undefined): void;
}

export async function pickMap(
  container: HTMLElement,
  start: Point | undefined,
  onPick: (point: Point) => void,
): Promise<PickMap> {
  const pin = element('div', { class: 'pin is-picked', 'aria-hidden': 'true' }, element('span'));
  let at = start;
  const map = new MapView(container, {
    label: say('scriptPickMap.mapForChoosingThePlaceEnter'),
    centre: start ?? { lat: 25, lon: 10 },
    zoom: start ? 4 : 1,
    onPress(point) {
      at = point;
      update();
      onPick(point);
      announce(
        say('scriptPickMap.placeChosen', { place: `${point.lat.toFixed(3)}, ${point.lon.toFixed(3)}` }),
      );
    },
  });
  map.root.classList.add('is-picking');
  map.root.append(element('span', { class: 'map-cross', 'aria-hidden': 'true' }));
  map.layer.append(pin);
  map.onMove(update);
  update();

  function update(): void {
    pin.hidden = at === undefined;
    if (at) map.put(pin, at);
  }

  return {
    show(point) {
      at = point;
      update();
      if (point) map.show(point);
    },
  };
}
