/** A part of a page with event listeners between `connect` and `disconnect`. */
export abstract class Controller {
  #connection = new AbortController();

  connect(): this {
    this.disconnect();
    this.#connection = new AbortController();
    this.listen(this.#connection.signal);
    return this;
  }

  disconnect(): void {
    this.#connection.abort();
  }

  /** Every listener is added with this signal, which removes all of them. `on` passes it automatically. */
  protected abstract listen(signal: AbortSignal): void;

  protected on<Type extends keyof Events>(
    target: EventTarget,
    type: Type,
    listener: (event: Events[Type]) => void,
  ): void {
    target.addEventListener(type, listener as EventListener, { signal: this.#connection.signal });
  }
}

type Events = WindowEventMap & DocumentEventMap;
