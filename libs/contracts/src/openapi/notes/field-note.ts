/** What a field, or a component, means, and a value to show. */
export type FieldNote = { readonly description: string; readonly example?: unknown };

/** By field (`email`), by a component's field (`Delivery.status`), or by component (`Delivery`). */
export type FieldNotes = Readonly<Record<string, FieldNote>>;
