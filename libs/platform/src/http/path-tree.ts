type Node<V> = {
  readonly literals: Map<string, Node<V>>;
  parameter: { readonly name: string; readonly node: Node<V> } | null;
  value: V | null;
};

export type PathMatch<V> = { readonly value: V; readonly params: Record<string, string> };

/** Paths of the operation table, such as `/v1/users/{user_id}`, by their segments. A literal segment goes before a parameter. */
export function createPathTree<V>() {
  const root = newNode<V>();
  /** Paths without a parameter: found in one step. */
  const literals = new Map<string, PathMatch<V>>();
  return {
    add(path: string, value: V): void {
      if (!path.includes('{')) literals.set(path, { value, params: {} });
      let node = root;
      for (const segment of segmentsOf(path)) node = childOf(node, segment);
      node.value = value;
    },
    /** Null if no path matches; one slash at the end is ignored. @throws URIError if a parameter is not valid */
    find(path: string): PathMatch<V> | null {
      const literal = literals.get(path);
      if (literal !== undefined) return literal;
      const values: [string, string][] = [];
      const value = findIn(root, segmentsOf(path), 0, values);
      if (value === null) return null;
      return {
        value,
        params: Object.fromEntries(values.map(([name, text]) => [name, decodeURIComponent(text)])),
      };
    },
  };
}

function newNode<V>(): Node<V> {
  return { literals: new Map(), parameter: null, value: null };
}

function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : path.length;
  return path.slice(1, end).split('/');
}

function childOf<V>(node: Node<V>, segment: string): Node<V> {
  if (segment.startsWith('{')) {
    node.parameter ??= { name: segment.slice(1, -1), node: newNode() };
    return node.parameter.node;
  }
  const existing = node.literals.get(segment) ?? newNode<V>();
  node.literals.set(segment, existing);
  return existing;
}

function findIn<V>(node: Node<V>, segments: string[], depth: number, values: [string, string][]): V | null {
  const segment = segments[depth];
  if (segment === undefined) return node.value;
  const literal = node.literals.get(segment);
  const found = literal ? findIn(literal, segments, depth + 1, values) : null;
  if (found !== null || node.parameter === null || segment === '') return found;
  values.push([node.parameter.name, segment]);
  const below = findIn(node.parameter.node, segments, depth + 1, values);
  if (below === null) values.pop();
  return below;
}
