/** Tree → pages, templates, files, tags and places that it names. */
import { parseLocation } from './location.ts';
import type { LinkReference, References, Tree } from './tree.ts';

export function references(tree: Tree): References {
  const result: References = { links: [], templates: [], files: [], tags: [], sections: [] };
  const links = new Map<string, LinkReference>();
  for (const node of tree.children) {
    if (node.type === 'marker') {
      if (node.key === 'type') result.type = node.value;
      else if (node.key === 'location') {
        const place = parseLocation(node.value);
        if ('problem' in place) result.locationProblem = place.problem;
        else result.location = place;
      } else result.tags.push({ key: node.key, value: node.value });
    } else if (node.type === 'link' && node.target !== '') {
      const known = links.get(node.target);
      if (known) known.count++;
      else
        links.set(node.target, {
          target: node.target,
          isPath: node.isPath,
          fragment: node.fragment,
          count: 1,
        });
    }
  }
  result.links = [...links.values()];
  return result;
}
