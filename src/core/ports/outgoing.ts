/** Port for requests to URLs that people entered. */
import type { LocalText } from '#html/html.ts';

export interface Outgoing extends Disposable {
  /** Reason why requests to this URL are never permitted, as a sentence; undefined if they are. Does not resolve the name. */
  refusal(url: string): LocalText | undefined;
  /**
   * Sends a POST and returns whatever response arrives; redirects are not followed. Throws `NotDelivered` if there is no
   * response, if the URL leads to a private network, or if the response takes too long. Limited in time and size.
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutgoingAnswer>;
  /** Sends a GET like `post`, and reads the whole response. Also throws `NotDelivered` if it has more than `maxBytes`. */
  get(url: string, maxBytes: number): Promise<FetchedAnswer>;
  /** Status of the response to a HEAD, or to a GET from a server that refuses HEAD. Reads no body. Throws as `post` does. */
  probe(url: string): Promise<number>;
}

interface FetchedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Uint8Array;
}

interface OutgoingAnswer extends Omit<FetchedAnswer, 'bytes'> {
  /** Beginning of the response body, as text. */
  text: string;
}

export class NotDelivered extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotDelivered';
  }
}

/** Thrown for addresses that may not be asked, such as those of a private network. */
export class NotPermitted extends NotDelivered {}
