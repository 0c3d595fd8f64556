/** Several exports of a Confluence, each in a folder of its own, as one source: spaces side by side. */
import type { FileTree } from '../documents/file-tree.ts';
import type { Adapted, LinkPlan, Omission, PageOutline, Source, SourceEvent } from '../source.ts';
import { Confluence, entitiesFile } from './confluence.ts';

/** Number of folders that an export may lie in. */
const maxDepth = 3;

/** Folders of exports, with a slash at the end; empty for the top. */
export function exportsIn(paths: readonly string[]): string[] {
  return paths
    .filter((path) => path === entitiesFile || path.endsWith(`/${entitiesFile}`))
    .map((path) => path.slice(0, -entitiesFile.length))
    .filter((folder) => folder.split('/').length - 1 <= maxDepth);
}

export function openConfluence(tree: FileTree): Source {
  const folders = exportsIn(tree.paths);
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return new Confluence(within(tree, only));
  return new ConfluenceExports(
    tree,
    folders.map((folder) => new Confluence(within(tree, folder))),
  );
}

class ConfluenceExports implements Source {
  readonly kind = 'confluence';
  readonly hasHistory = true;
  readonly #tree: FileTree;
  readonly #all: readonly Confluence[];

  constructor(tree: FileTree, all: readonly Confluence[]) {
    this.#tree = tree;
    this.#all = all;
  }

  get name(): string {
    return [...new Set(this.#all.map(({ name }) => name))].sort().join(', ');
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    yield* this.#tree.leftOut;
    for (const one of this.#all)
      for await (const entry of one.outline()) {
        if (!('key' in entry)) yield entry;
        else {
          const { key, place, redirect } = entry;
          const top = one.hasSpaces ? place : [one.title, ...place];
          yield {
            ...entry,
            key: keyIn(one, key),
            place: top,
            ...(redirect === undefined ? {} : { redirect: keyIn(one, redirect) }),
          };
        }
      }
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    for (const one of this.#all)
      for await (const event of one.read((key) => isWanted(keyIn(one, key))))
        yield event.event === 'page' ? { ...event, key: keyIn(one, event.key) } : event;
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const one = this.#all.find((one) => key.startsWith(keyIn(one, '')));
    if (!one) throw new Error(`The export does not contain the page ${key}.`);
    const own: LinkPlan = { ...plan, pageOf: (key) => plan.pageOf(keyIn(one, key)) };
    const elsewhere = (space: string, title: string) => {
      for (const other of this.#all) {
        const meant = other.links.keyOf(space, title);
        if (meant !== undefined) return plan.pageOf(keyIn(other, meant))?.path;
      }
      return undefined;
    };
    return one.adapt(key.slice(keyIn(one, '').length), body, own, elsewhere);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#all) await one[Symbol.asyncDispose]();
    await this.#tree[Symbol.asyncDispose]();
  }
}

/** Stable between exports of the same space, and different for spaces of different instances. */
function keyIn({ identity }: Confluence, key: string): string {
  return `${identity} ${key}`;
}

function within(tree: FileTree, folder: string): FileTree {
  if (folder === '') return tree;
  return {
    leftOut: [],
    hidden: [],
    paths: tree.paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length)),
    open: (path) => tree.open(folder + path),
    changedAt: (path) => tree.changedAt(folder + path),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}
