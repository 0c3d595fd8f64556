/** Proposals in the model of a wiki: each changes the title of one page, or creates a root page. */
import type { Actor } from '#core/model/permission.ts';
import type { Model, ModelPage } from './model.ts';

export interface ModelProposal {
  id: number;
  authorId: number;
  state: 'open' | 'withdrawn' | 'merged';
  title: string;
  /** The page, or the path of a new one. */
  pageId: number | null;
  path: string;
  base: number | null;
}

type Acting = NonNullable<Actor>;

export class ModelProposals {
  readonly #model: Model;
  readonly all: ModelProposal[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  pageOf({ pageId }: ModelProposal): ModelPage | undefined {
    return pageId === null ? undefined : this.#model.pages.get(pageId);
  }

  sees(actor: Acting, proposal: ModelProposal): boolean {
    if (actor.memberId === proposal.authorId) return true;
    if (proposal.pageId === null) return actor.role !== 'guest';
    const page = this.pageOf(proposal);
    return page !== undefined && this.#model.sees(actor, page);
  }

  /** Only open proposals conflict. */
  conflicts(actor: Acting, proposal: ModelProposal): boolean {
    if (proposal.state !== 'open') return false;
    if (proposal.base === null) return this.#model.at(proposal.path) !== undefined;
    const page = this.pageOf(proposal);
    if (!page || !this.#model.sees(actor, page)) return true;
    const latest = page.history.at(-1);
    if (latest?.id === proposal.base) return false;
    const base = page.history.find(({ id }) => id === proposal.base);
    if (!base || !this.#model.seesChange(actor, page, base.id)) return true;
    return page.title !== base.title && proposal.title !== base.title && proposal.title !== page.title;
  }

  propose(actor: Acting, page: ModelPage | null, title: string, path: string) {
    if (actor.block) return 'blocked';
    if (page && !this.#model.sees(actor, page)) return 'invalid';
    return (id: number) => {
      const base = page?.history.at(-1)?.id ?? null;
      const place = { pageId: page?.id ?? null, path: page?.path ?? path, base };
      this.all.push({ id, authorId: actor.memberId, state: 'open', title, ...place });
    };
  }

  rework(actor: Acting, proposal: ModelProposal, title: string) {
    const refused = this.#refuseOthers(actor, proposal, false);
    if (refused) return refused;
    const page = this.pageOf(proposal);
    const isNamed = proposal.base === null || (page && this.#model.sees(actor, page));
    if (!isNamed) return proposal.state === 'merged' ? 'invalid or proposal-closed' : 'invalid';
    if (proposal.state === 'merged') return 'proposal-closed';
    return () => {
      proposal.title = title;
    };
  }

  withdraw(actor: Acting, proposal: ModelProposal) {
    const refused = this.#refuseOthers(actor, proposal, true);
    if (refused) return refused;
    if (proposal.state === 'merged') return 'proposal-closed';
    return () => {
      proposal.state = 'withdrawn';
    };
  }

  #refuseOthers(actor: Acting, proposal: ModelProposal, isForModerators: boolean): string | undefined {
    if (actor.block) return 'blocked';
    if (!this.sees(actor, proposal)) return 'not-found';
    const isModerator = actor.isAdmin || actor.role === 'moderator';
    if (actor.memberId === proposal.authorId || (isForModerators && isModerator)) return undefined;
    return 'not-permitted';
  }

  merge(actor: Acting, proposal: ModelProposal) {
    if (actor.block) return 'blocked';
    if (actor.role === 'reader') return 'not-permitted';
    if (!this.sees(actor, proposal)) return 'not-found';
    if (proposal.state !== 'open') return 'proposal-closed';
    if (this.conflicts(actor, proposal)) return 'proposal-conflict';
    const model = this.#model;
    const page = this.pageOf(proposal);
    if (!page) {
      const input = { title: proposal.title, parentId: null, permissions: 774, group: null, body: nothing };
      const created = model.create(actor, input);
      if (typeof created === 'string') return created;
      return ({ id, change }: Merged, now: number) => {
        created(id, change, now);
        Object.assign(model.pages.get(id) ?? {}, { ownerId: proposal.authorId });
        Object.assign(proposal, { state: 'merged', pageId: id });
      };
    }
    const base = page.history.find(({ id }) => id === proposal.base);
    const title = proposal.title === base?.title ? page.title : proposal.title;
    const edited = model.edit(actor, page, { title, isSaid: true });
    if (typeof edited === 'string') return edited;
    return ({ change }: Merged, now: number) => {
      edited(change, now);
      proposal.state = 'merged';
    };
  }
}

interface Merged {
  id: number;
  change: number;
}

const nothing = { links: [], tags: [], location: null, words: [] };
