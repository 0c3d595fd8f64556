/** Map of all places of a site, drawn once on an outline of the world, with a list beside it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodePath } from '#core/model/path.ts';
import { type Html, html } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { ShownPage, ShownPlan } from './plan.ts';
import { pageLink } from './site-layout.ts';

/** Maximum number of points; more would only cover the map. */
const maxPoints = 5000;

export function placesMap({ pages }: ShownPlan, up: string): Html {
  const places = [...pages.values()].filter(({ location }) => location !== undefined);
  if (places.length === 0)
    return html`<h1>${say('layout.map')}</h1><p class="empty">${say('exported.noPlaces')}</p>`;
  return html`<h1>${say('layout.map')}</h1>
<svg viewBox="-180 -90 360 180" width="100%" role="img" aria-label="${say('exported.mapOfAllPlaces')}" style="background: var(--sunken)">
<path d="${land()}" fill="var(--line)" stroke="none"></path>
${places.slice(0, maxPoints).map((page) => point(page, up))}
</svg>
<ul class="places">${places.map((page) => html`<li>${pageLink(page, up)}</li>`)}</ul>`;
}

function point({ location, folder, title }: ShownPage, up: string): Html {
  const { lat = 0, lon = 0 } = location ?? {};
  return html`<a href="${up}${encodePath(folder)}/index.html"><circle cx="${lon}" cy="${-lat}" r="1.2" fill="var(--link)"><title>${title}</title></circle></a>`;
}

interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { land: { geometries: { arcs: number[][][] }[] } };
}

/** Outlines from Natural Earth (world-atlas, TopoJSON). Each point is stored as the difference from the previous one. */
function land(): string {
  const file = fileURLToPath(import.meta.resolve('world-atlas/land-110m.json'));
  const { transform, arcs, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const { scale, translate } = transform;
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return `${(x * scale[0] + translate[0]).toFixed(1)} ${(-y * scale[1] - translate[1]).toFixed(1)}`;
    });
  });
  const ring = (numbers: number[]) =>
    numbers.flatMap((number) => (number < 0 ? (lines[~number]?.toReversed() ?? []) : (lines[number] ?? [])));
  const rings = objects.land.geometries.flatMap(({ arcs }) =>
    arcs.flatMap((polygon) => polygon.map((one) => ring([one].flat()))),
  );
  return rings.map((points) => `M${points.join('L')}Z`).join('');
}
