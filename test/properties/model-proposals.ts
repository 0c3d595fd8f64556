/**
 * Proposals in the model of a wiki: each changes the title of one page, or creates a root page. Those of people without an account wait
 * until a moderator approves or refuses them.
 */
import { expect } from 'vitest';
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

/** A proposal of a person without an account that waits. */
export type ModelSubmission = Pick<ModelProposal, 'id' | 'title' | 'pageId' | 'path' | 'base'>;

type Acting = NonNullable<Actor>;

export class ModelProposals {
  readonly #model: Model;
  readonly all: ModelProposal[] = [];
  readonly waiting: ModelSubmission[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  pageOf({ pageId }: Pick<ModelProposal, 'pageId'>): ModelPage | undefined {
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
      this.all.push({ id, authorId: actor.memberId, state: 'open', title, ...placeOf(page, path) });
    };
  }

  submit(actor: Actor, page: ModelPage | null, title: string, path: string) {
    if (actor) return 'not-permitted';
    const { settings, isPrivate } = this.#model;
    if (isPrivate || settings.strangers !== 'proposals') return 'unauthenticated';
    if (page && !this.#model.sees(null, page)) return 'invalid';
    return (id: number) => {
      this.waiting.push({ id, title, ...placeOf(page, path) });
    };
  }

  /** Submissions that the actor may decide on, or why they may not. */
  decidable(actor: Acting): ModelSubmission[] | string {
    if (actor.block) return 'blocked';
    if (!actor.isAdmin && actor.role !== 'moderator') return 'moderators-only';
    return this.waiting.filter((one) => {
      const page = this.pageOf(one);
      return one.pageId === null || (page !== undefined && this.#model.sees(actor, page));
    });
  }

  approve(actor: Acting, submission: ModelSubmission) {
    const decidable = this.decidable(actor);
    if (typeof decidable === 'string') return decidable;
    if (!decidable.includes(submission)) return 'not-found';
    return (id: number) => {
      this.all.push({ ...submission, id, authorId: actor.memberId, state: 'open' });
      this.#drop(submission);
    };
  }

  refuse(actor: Acting, submission: ModelSubmission) {
    const decidable = this.decidable(actor);
    if (typeof decidable === 'string') return decidable;
    const refused = decidable.includes(submission) ? 1 : 0;
    return (count: number) => {
      expect(count).toBe(refused);
      if (refused === 1) this.#drop(submission);
    };
  }

  #drop(submission: ModelSubmission): void {
    this.waiting.splice(this.waiting.indexOf(submission), 1);
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

function placeOf(page: ModelPage | null, path: string) {
  const base = page?.history.at(-1)?.id ?? null;
  return { pageId: page?.id ?? null, path: page?.path ?? path, base };
}

const nothing = { links: [], tags: [], location: null, words: [] };
