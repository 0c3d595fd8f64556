/** Collects the pages, templates, modules, files, tags and locations that a tree names, in order of appearance. */
import { sections } from './headings.ts';
import { fileTarget } from './inlines/file.ts';
import { limits } from './limits.ts';
import { parseLocation } from './location.ts';
import type { Tree } from './parsed-page.ts';
import type { LinkReference, Node, References } from './tree.ts';

const deepest = 400;

/**
 * Returns what the tree names, each target once; links also say how often. Targets stand as they were written, so the host decides
 * which pages they mean. Never throws, and takes linear time. Nodes deeper than 400 levels are left out.
 */
export function references(tree: Tree): References {
  const links = new Map<string, LinkReference>();
  const templates = new Set<string>();
  const modules = new Set<string>();
  const files = new Set<string>();
  const unsupported = new Set<string>();
  const result: References = {
    links: [],
    templates: [],
    modules: [],
    files: [],
    tags: [],
    unsupported: [],
    sections: sections(tree),
    followsPath: tree.followsPath,
  };
  if (tree.excess !== undefined) result.excess = tree.excess;
  // The tree also contains the `[[…]]` of the redirect, which is counted there.
  if (tree.redirect) result.redirect = tree.redirect;
  walk(tree.children, 0);
  result.links = [...links.values()];
  result.templates = [...templates];
  result.modules = [...modules];
  result.files = [...files];
  result.unsupported = [...unsupported];
  return result;

  function addLink(link: { target: string; isPath: boolean }, fragment: string | undefined): void {
    const known = links.get(link.target);
    if (known) {
      known.count++;
      return;
    }
    const reference: LinkReference = { target: link.target, isPath: link.isPath, count: 1 };
    if (fragment) reference.fragment = fragment;
    links.set(link.target, reference);
  }

  function walk(nodes: readonly Node[], depth: number): void {
    if (depth > deepest) return;
    for (const node of nodes) {
      switch (node.type) {
        case 'marker':
          addMarker(node.key, node.value);
          break;
        case 'link':
          if (node.target !== '') addLink(node, node.fragment);
          if (node.file !== undefined) addName(files, node.file);
          walk(node.children, depth + 1);
          break;
        case 'file':
          addName(files, node.options.manual ?? node.name);
          addFileLink(node.options.link);
          walk(node.caption, depth + 1);
          break;
        case 'template':
          if (node.name !== undefined) addName(templates, node.name);
          if (node.module !== undefined) addName(modules, node.module);
          for (const argument of node.arguments) walk(argument.children, depth + 1);
          break;
        case 'extension':
          if (node.name === 'unsupported') unsupported.add(node.attributes.name ?? '');
          if (node.children) walk(node.children, depth + 1);
          if (node.details) walk(node.details, depth + 1);
          break;
        case 'element':
        case 'heading':
        case 'external-link':
          walk(node.children, depth + 1);
          break;
        default:
          break;
      }
    }
  }

  function addName(names: Set<string>, name: string): void {
    if (names.size < limits.links) names.add(name);
  }

  function addFileLink(written: string | undefined): void {
    if (!written || /^(?:[a-z]+:|\/\/)/i.test(written)) return;
    const target = fileTarget(tree.rules, written, () => {
      result.followsPath = true;
      return tree.path;
    });
    if (target.kind === 'page' && target.target !== '') addLink(target, target.fragment);
  }

  function addMarker(key: string, value: string): void {
    if (key === 'type') {
      if (value !== '') result.type = value;
    } else if (key === 'location') {
      const place = parseLocation(value);
      if ('problem' in place) {
        result.locationProblem = place.problem;
      } else {
        result.location = place;
        delete result.locationProblem;
      }
    } else result.tags.push({ key, value });
  }
}
