// The graph as a whole, as far as whoever looks may see it: fetched once for each day asked about.

import { overview } from "./door.js";

export class World {
  #asOf;
  #loading = null;
  #seen = null;

  /** The overview of a day; an error says why there is none. */
  async see(asOf) {
    if (this.#loading === null || this.#asOf !== asOf) {
      this.#asOf = asOf;
      this.#loading = overview(asOf);
    }
    try {
      this.#seen = await this.#loading;
      return this.#seen;
    } catch (error) {
      if (error.status !== 403) this.#loading = null; // who may not see it is not asked again and again
      throw error;
    }
  }

  /** Fetch it anew when next it is looked at. */
  forget() {
    this.#loading = null;
  }

  /** The type of an entity, where it was seen. */
  typeOf(id) {
    return this.#seen?.nodes.find((node) => node.id === id)?.type;
  }

  /** All types that were seen, in an order that stays. */
  kinds() {
    return [...new Set((this.#seen?.nodes ?? []).map((node) => node.type))].sort();
  }
}
