/** For every rule one document that breaks it and one, as like as can be, that it is satisfied with. */
export interface Example {
  readonly breaks: string;
  /** The rule looks at it too, and has nothing to say. Other rules may. */
  readonly holds: string;
}

export type Examples = Readonly<Record<string, Example>>;
