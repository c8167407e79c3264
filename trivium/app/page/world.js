// The graph as a whole, as far as whoever looks may see it: fetched once for each day asked about.

import { overview } from "./door.js";

export class World {
  #loading = new Map();
  #seen = null;

  /** The overview of a day, with risk, from a place on, where it is wanted; an error says why there is none. */
  async see(asOf, withRisk = false, after = 0) {
    const key = `${asOf} ${withRisk} ${after}`;
    if (!this.#loading.has(key)) this.#loading.set(key, overview(asOf, withRisk, after));
    try {
      const seen = await this.#loading.get(key);
      if (!withRisk) this.#seen = seen;
      return seen;
    } catch (error) {
      if (error.status !== 403) this.#loading.delete(key); // who may not see it is not asked again and again
      throw error;
    }
  }

  /** Fetch it anew when next it is looked at. */
  forget() {
    this.#loading.clear();
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
