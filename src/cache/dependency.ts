/**
 * Cache dependencies as integers. Responses record what they depend on; writes record what they invalidate. A page's own
 * content, place and facts are its ID; everything else is a negative number. Hash collisions cause extra invalidation,
 * never stale responses.
 */
export type Dependency = number;

/** Facts of this page that pages beneath it show in their lineage: all but its content. */
export const factsOf = (id: number): Dependency => numberOf(`facts of ${id}`);

/** The page that the title or path of this key (`titleKey`) resolves to, with its title and path. */
export const leadsTo = (key: string): Dependency => numberOf(`leads to ${key}`);

/** The pages that name it in links and template calls, with their titles and paths. */
export const linksTo = (key: string): Dependency => numberOf(`links to ${key}`);

/** The list of the pages directly beneath a page, or of the root pages. */
export const childrenOf = (parentId: number | null): Dependency =>
  numberOf(`children of ${parentId ?? 'none'}`);

/**
 * The list of the children of the last page in `trail`, and the list that contains that page, which tells whether it has
 * children. `trail`: IDs from the root down.
 */
export function childrenBeneath(trail: readonly number[]): Dependency[] {
  const [parent, ...above] = trail.toReversed();
  return parent === undefined ? [childrenOf(null)] : [childrenOf(parent), childrenOf(above[0] ?? null)];
}

/** Whether the children of a page, or the root pages, are arranged by hand, and how. */
export const orderOf = (parentId: number | null): Dependency => numberOf(`order of ${parentId ?? 'none'}`);

/** All links to missing pages, their spelling, and the pages that contain them. */
export const requestedLinks = numberOf('requested links');

/** Titles and readers of all pages: what orders and limits every list. */
export const namesOfPages = numberOf('names of pages');

/** The set of existing pages. */
export const newPages = numberOf('new pages');

/** Content of any page and the time of its last change. */
export const anyContent = numberOf('any content');

/** The set of pages of the type. */
export const typed = (type: string): Dependency => numberOf(`typed ${type}`);

/** The set of pages with a tag of that value, as it is indexed. */
export const tagged = (valueKey: string): Dependency => numberOf(`tagged ${valueKey}`);

/** The set of pages with a tag of that name. */
export const tagNamed = (key: string): Dependency => numberOf(`tag named ${key}`);

/** The set of pages whose paths begin with these segments. */
export const pathsBeneath = (segments: string): Dependency => numberOf(`paths beneath ${segments}`);

/** All `pathsBeneath` dependencies that a page at this path belongs to. */
export function pathsAbove(path: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1))
    dependencies.push(pathsBeneath(path.slice(0, end)));
  return dependencies;
}

/** The set of its descendants at any depth. */
export const descendantsOf = (id: number): Dependency => numberOf(`descendants of ${id}`);

/** Titles, paths and locations of the places in this band of latitude, one degree high. */
export const placesAt = (location: { lat: number }): Dependency =>
  numberOf(`places at ${Math.floor(location.lat)}`);

/** Dependencies of all places that may lie within the radius. */
export function placesAround({ lat }: { lat: number }, radiusMetres: number): Dependency[] {
  // A degree of latitude is at least 110,574 m on WGS 84. Places beyond a pole are covered as well.
  const degrees = radiusMetres / 110_500;
  return placesBetween(Math.max(-90, lat - degrees), Math.min(90, lat + degrees));
}

/** Dependencies of all places between two latitudes. */
export function placesBetween(south: number, north: number): Dependency[] {
  const [first, last] = [Math.floor(south), Math.floor(north)];
  return Array.from({ length: last - first + 1 }, (_, i) => placesAt({ lat: first + i }));
}

/** FNV-1a over code units, with the highest bit set, so that V8 stores it as a small integer. */
function numberOf(name: string): Dependency {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0x80000000;
}
