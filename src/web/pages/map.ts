/** Places on a map drawn by scripts, and the same places as a list. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onePerTranslationSet } from '#core/model/one-per-translation-set.ts';
import type { Location } from '#core/model/page.ts';
import type { Box } from '#core/model/written-criteria.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import { wholeEarth } from '#core/places/map-places.ts';
import type { MapPlace } from '#core/ports/list-reads.ts';
import { placesAround, placesOnMap } from '#core/search/operations.ts';
import { say } from '#words/say.ts';
import { pageLink, pageUrl, urlOfVisit } from '../components.ts';
import { coordinates, distance } from '../format.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import type { Site } from '../site.ts';

const listed = 500;
/** Maximum number of places in a response. */
const maxPlaces = 5000;
const nearbyMetres = 200_000;

export function mapRoutes(server: FastifyInstance, site: Site): void {
  server.get('/map', reads(placesAround, placesOnMap), async (request, reply) => {
    const query = urlOfVisit(request.visit).searchParams;
    const centre = readPoint(query.get('lat'), query.get('lon'));
    const found = centre
      ? await listAround(carryFor(site, request), centre)
      : await allPlaces(carryFor(site, request));
    const places = inLanguage(found, site, request);
    const main = html`<div class="map-page">
<div class="map-head">
<h1>${say('map.map')}</h1>
<p class="lede">${
      centre
        ? html`${say('map.placesAroundCoordinates', { coordinates: html`<bdi>${coordinates(centre)}</bdi>`, link: (words) => html`<a href="/map">${words}</a>` })}`
        : places.length === 0
          ? say('map.noPageHasALocationYet')
          : say(found.length === listed ? 'map.placesAndMore' : 'map.placesShown', { count: places.length })
    }</p>
</div>
<div class="big-map" data-map="all" data-places="/map/places"${centre && html` data-lat="${centre.lat}" data-lon="${centre.lon}"`}></div>
<section class="map-list" aria-label="${say('map.places')}">
${
  places.length === 0
    ? html`<p class="empty">${say('map.aPageHasALocationIfItsText', { code: html`<code>[[Location:52.5163, 13.3777]]</code>` })}</p>`
    : html`<ul class="places">${places.map(
        (place) =>
          html`<li data-place="${place.id}" data-lat="${place.location.lat}" data-lon="${place.location.lon}" data-type="${place.type ?? ''}">${pageLink(place)} <span class="quiet">${
            place.type && html`<span dir="auto">${place.type}</span>`
          }${
            place.distanceMetres !== undefined &&
            html`${place.type && ' · '}${distance(place.distanceMetres)}`
          }</span></li>`,
      )}</ul>`
}
</section>
</div>`;
    return sendLayout(site, reply, {
      title: say('map.map'),
      kind: 'map',
      main,
      scripts: ['map'],
      isListed: !centre,
    });
  });

  /** For the map: `south`, `west`, `north`, `east` in degrees; west > east crosses the antimeridian. */
  server.get('/map/places', reads(placesOnMap), async (request, reply) => {
    const query = urlOfVisit(request.visit).searchParams;
    const places = await carryFor(site, request)(placesOnMap, {
      box: readBox(query),
      limit: maxPlaces,
    });
    reply.header('cache-control', 'private, no-cache').header('vary', 'accept-language, cookie');
    return reply.send({
      places: inLanguage(places, site, request).map(({ id, title, path, type, location }) => ({
        id,
        title,
        path,
        url: pageUrl(path),
        type,
        ...location,
      })),
      isCut: places.length === maxPlaces,
    });
  });
}

type ListedPlace = MapPlace & { distanceMetres?: number };

/** A place with pages in several languages is shown once. */
function inLanguage<P extends MapPlace>(places: readonly P[], site: Site, { visit }: FastifyRequest): P[] {
  return onePerTranslationSet(places, visit.language, site.look().settings.language);
}

async function listAround(carry: Carry, centre: Location): Promise<ListedPlace[]> {
  const { pages } = await carry(placesAround, { ...centre, metres: nearbyMetres, limit: listed });
  return pages.flatMap(({ location, ...page }) => (location ? [{ ...page, location }] : []));
}

async function allPlaces(carry: Carry): Promise<ListedPlace[]> {
  const places = await carry(placesOnMap, { box: wholeEarth, limit: listed });
  return places.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

function readPoint(lat: string | null, lon: string | null): Location | undefined {
  const point = { lat: degrees(lat, 90), lon: degrees(lon, 180) };
  return point.lat === undefined || point.lon === undefined ? undefined : { lat: point.lat, lon: point.lon };
}

function readBox(query: URLSearchParams): Box {
  return {
    south: degrees(query.get('south'), 90) ?? wholeEarth.south,
    west: degrees(query.get('west'), 180) ?? wholeEarth.west,
    north: degrees(query.get('north'), 90) ?? wholeEarth.north,
    east: degrees(query.get('east'), 180) ?? wholeEarth.east,
  };
}

function degrees(text: string | null, most: number): number | undefined {
  if (text === null || !/^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text.trim())) return undefined;
  const value = Number(text);
  return Math.abs(value) <= most ? value : undefined;
}
