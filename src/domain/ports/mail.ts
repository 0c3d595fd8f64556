/** Ports for mail: the queue in the database, and the server that takes letters. */
import type { Mail } from '../mail/mail.ts';

/** A mail in the queue. */
export interface QueuedMail {
  id: number;
  mail: Mail;
  createdAt: number;
  /** When it is tried next; null: given up. */
  dueAt: number | null;
  /** Including one that is under way. */
  attempts: number;
  /** Answer to the last attempt. */
  error: string | null;
}

export interface MailQueue {
  /** Whether mail can leave: a mail server is set. */
  readonly isOn: boolean;
  /**
   * Queues a mail, due now. Does nothing if one of the same kind to the same address was queued after `unlessAfter`, or if
   * there are as many of its kind as strangers may cause (`maxCausedByStrangers`). Takes the same time in each case.
   */
  insert(mail: Mail, at: number, unlessAfter?: number): Promise<void>;
  /**
   * The mails that are due, those first that are due for longest. They are due again at `until`, so that of several processes one
   * sends each, and one that a killed process had taken is tried again.
   */
  take(now: number, until: number, limit: number): Promise<QueuedMail[]>;
  /** Notes why an attempt failed. `dueAt`: when it is tried next; null: never. */
  postpone(id: number, dueAt: number | null, error: string): Promise<void>;
  /** Makes a mail due again from the first attempt on. False if it is not there. */
  retry(id: number, at: number): Promise<boolean>;
  find(id: number): Promise<QueuedMail | undefined>;
  /** Newest first. */
  list(limit: number): Promise<QueuedMail[]>;
  /** Removes a mail that was sent, or need not be. False if it is not there. */
  remove(id: number): Promise<boolean>;
  removeOlderThan(createdAt: number): Promise<void>;
  /** Mails that are due some time, and mails that were given up. */
  counts(): Promise<{ waiting: number; failed: number }>;

  /** Replaces the member's unconfirmed change of address; returns its ID. */
  insertAddressChange(change: {
    memberId: number;
    memberEpoch: number;
    email: string;
    createdAt: number;
    expiresAt: number;
  }): Promise<number>;
  findAddressChange(id: number): Promise<AddressChange | undefined>;
  findAddressChangeByToken(tokenHash: string): Promise<AddressChange | undefined>;
  /** An unconfirmed one of this member. */
  findAddressChangeOf(memberId: number): Promise<AddressChange | undefined>;
  setAddressToken(id: number, tokenHash: string): Promise<void>;
  /** True for exactly one caller. */
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

/** A mail as it is sent, before it is written as text and as HTML. */
export interface Letter {
  to: { name?: string; address: string };
  subject: string;
  paragraphs: string[];
  /** Pages that the mail tells of, after the first paragraphs. */
  pages?: LetterPage[];
  /** Address that the reader is asked to open. */
  link?: { label: string; url: string };
  /** Why the reader gets this mail. */
  reason: string;
  /** Address that ends mail like this with one click (RFC 8058). */
  unsubscribe?: string;
}

/** A page of a letter: what happened to it, and the lines that changed. */
export interface LetterPage {
  title: string;
  /** Undefined: there is nothing to open any more. */
  url?: string;
  /** One for each thing that happened. */
  happened: string[];
  lines: { kind: 'added' | 'removed'; words: { isChanged: boolean; text: string }[] }[];
  /** Changes that are not shown. */
  more?: string;
}

export interface MailServer {
  /**
   * Resolves when the server has taken the letter; `MailRefused` otherwise. Bounded in time. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** `isFinal`: trying again is of no use, as there is no such mailbox. */
export class MailRefused extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = 'MailRefused';
    this.isFinal = isFinal;
  }
}
