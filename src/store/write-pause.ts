/** Refuses writes while the setting `readOnly` is on. */

import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import type { Engine } from './engine.ts';
import type { KnownSettings } from './settings.ts';

const retryAfterSeconds = 60;

export class WritePause {
  /** Transactions that the setting does not refuse. */
  readonly passing: Engine['transact'];
  readonly #known: KnownSettings;
  readonly #isObeyed: boolean;

  /** Watches all transactions of the engine, unless the setting is not obeyed. */
  constructor(engine: Engine, known: KnownSettings, isObeyed: boolean) {
    this.#known = known;
    this.#isObeyed = isObeyed;
    const transact = engine.transact.bind(engine);
    this.passing = transact;
    if (!isObeyed) return;
    engine.transactPaused = transact;
    engine.transact = async (work, how) => {
      // Every request asks for new settings on PostgreSQL, where asking again would cost a round trip.
      if (engine.hasOneWriter) await known.refresh();
      this.#refuse();
      return transact(async (db) => {
        // The setting may have changed while the transaction waited for others.
        if (engine.hasOneWriter) await known.refresh();
        this.#refuse();
        return work(db);
      }, how);
    };
  }

  get isOn(): boolean {
    return this.#isObeyed && this.#known.current.readOnly;
  }

  #refuse(): void {
    if (!this.isOn) return;
    throw new Problem('unavailable', say('problem.theWikiIsReadOnlyAtThe'), {
      details: { retryAfter: retryAfterSeconds },
    });
  }
}
