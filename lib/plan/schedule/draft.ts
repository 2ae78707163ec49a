/**
 * A copy-on-write copy. Folding a batch copies each object it changes once and changes the copy from then on, so a
 * batch costs what it changes, and the source never changes.
 */
export class Draft<T extends object> {
  readonly root: T;
  readonly #fresh = new Set<object>();

  constructor(source: T) {
    this.root = { ...source };
    this.#fresh.add(this.root);
  }

  /** The object itself when this draft made it, else a shallow copy that may be changed. */
  own<O extends object>(object: O): O {
    if (this.#fresh.has(object)) return object;
    const copy = shallowCopy(object);
    this.#fresh.add(copy);
    return copy;
  }

  /** A map of the root that may be changed; the root holds the copy from then on. */
  map<K, V>(map: ReadonlyMap<K, V>, install: (copy: Map<K, V>) => void): Map<K, V> {
    if (map instanceof Map && this.#fresh.has(map)) return map;
    const copy = new Map(map);
    this.#fresh.add(copy);
    install(copy);
    return copy;
  }

  /** Takes note of an object that was made for this draft. */
  adopt<O extends object>(object: O): O {
    this.#fresh.add(object);
    return object;
  }
}

function shallowCopy<O extends object>(object: O): O;
function shallowCopy(object: object): object {
  return Array.isArray(object) ? [...object] : { ...object };
}
