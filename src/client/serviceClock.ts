/** The service's clock, as far as its answers tell the time (`Date`), which a browser may hide. */
export class ServiceClock {
  /** ms to add to this machine's time. */
  #offset = 0;

  /** Takes in an answer that came at `now`, in ms since the epoch. */
  update(headers: Headers, now: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#offset = date - now;
  }

  /** This machine's time as the service tells it, both in ms since the epoch; to a second or two. */
  toServiceTime(ms: number): number {
    return ms + this.#offset;
  }
}
