/** Ports for mail: the queue in the database, and the mail server. */
import type { Language, Words } from '#html/html.ts';
import type { Mail } from '../model/mail.ts';

/** A queued mail. */
export interface QueuedMail {
  id: number;
  mail: Mail;
  createdAt: number;
  /** Time of the next attempt; null if it was given up. */
  dueAt: number | null;
  /** Number of attempts, including one in progress. */
  attempts: number;
  /** Response to the last attempt. */
  error: string | null;
}

export interface MailQueue {
  /** Whether a mail server is configured. */
  readonly isOn: boolean;
  /**
   * Queues a mail, due now. Does nothing if one of the same kind to the same address was queued after `unlessAfter`, sent or not, or if the
   * queue already has the maximum number of this kind (`maxCausedByStrangers`). Takes the same time in each case.
   */
  insert(mail: Mail, at: number, unlessAfter?: number): Promise<void>;
  /**
   * Takes due mails, longest overdue first, and those that are due so late that the clock must have been wrong. They become due again at `until`, so that only one of several processes sends each,
   * and a mail taken by a killed process is retried.
   */
  take(now: number, until: number, limit: number): Promise<QueuedMail[]>;
  /** Records why an attempt failed. `dueAt`: time of the next attempt; null for none. */
  postpone(id: number, dueAt: number | null, error: string): Promise<void>;
  /** Makes a mail due again with all attempts. Returns false if it does not exist. */
  retry(id: number, at: number): Promise<boolean>;
  find(id: number): Promise<QueuedMail | undefined>;
  /** Newest first. */
  list(limit: number): Promise<QueuedMail[]>;
  /** Removes a mail that is no longer needed. Returns false if it does not exist. */
  remove(id: number): Promise<boolean>;
  /** Removes a mail that was sent, or whose address has no recipient. `insert` still counts it as queued. */
  removeSent(id: number): Promise<void>;
  /** Forgets sent mails that were queued earlier. */
  forgetSent(askedAt: number): Promise<void>;
  removeOlderThan(createdAt: number): Promise<void>;
  /** Number of mails that are queued, and of mails that were given up. */
  counts(): Promise<{ waiting: number; failed: number }>;

  /** Replaces the member's unconfirmed change of address; returns the new one's ID. */
  insertAddressChange(change: Omit<AddressChange, 'id'>): Promise<number>;
  findAddressChange(id: number): Promise<AddressChange | undefined>;
  findAddressChangeOf(memberId: number): Promise<AddressChange | undefined>;
  findAddressChangeByToken(tokenHash: string): Promise<AddressChange | undefined>;
  setAddressToken(id: number, tokenHash: string): Promise<void>;
  /** Returns true for exactly one caller. */
  removeAddressChange(id: number): Promise<boolean>;
}

export interface AddressChange {
  id: number;
  memberId: number;
  memberEpoch: number;
  email: string;
  createdAt: number;
  expiresAt: number;
}

/** Content of a mail before it is rendered as text and HTML. */
export interface Letter {
  to: { name?: string; address: string };
  /** Language of the site in which its words are said. */
  language: Language;
  subject: Words;
  paragraphs: Words[];
  /** Pages that the mail is about, after the first paragraphs. */
  pages?: LetterPage[];
  /** URL that the reader is asked to open. */
  link?: { label: Words; url: string };
  /** Why the reader gets this mail. */
  reason: Words;
  /** URL that unsubscribes with one click (RFC 8058). */
  unsubscribe?: string;
}

/** A page in a letter: its events and changed lines. */
export interface LetterPage {
  title: string;
  /** Undefined if there is no page to open. */
  url?: string;
  /** One entry for each event. */
  happened: Words[];
  lines: { kind: 'added' | 'removed'; words: { isChanged: boolean; text: string }[] }[];
  /** Sentence about changes that are not shown. */
  more?: Words;
}

export interface MailServer {
  /**
   * Resolves when the server has accepted the letter; otherwise rejects with `MailRefused`. Limited in time. `key`: equal for all
   * attempts, so that a mailbox that got the letter before can tell.
   */
  send(letter: Letter, wikiName: string, key?: string): Promise<void>;
  close(): void;
}

/** `isFinal`: retrying is useless, because the mailbox does not exist. */
export class MailRefused extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = 'MailRefused';
    this.isFinal = isFinal;
  }
}
