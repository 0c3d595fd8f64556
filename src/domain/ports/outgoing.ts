/** Requests to addresses that people gave. */
export interface Outgoing extends Disposable {
  /** Why requests never go to this address, in a sentence; undefined if they may. Its name is not resolved. */
  refusal(url: string): string | undefined;
  /**
   * Sends a POST and answers with whatever comes back, redirects included: they are not followed. Throws `NotDelivered` where nothing
   * came back, where the address leads to a private network, and where the answer took too long. Bounded in time and size.
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutgoingAnswer>;
}

export interface OutgoingAnswer {
  status: number;
  /** Beginning of the answer, as text. */
  text: string;
}

export class NotDelivered extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotDelivered';
  }
}
