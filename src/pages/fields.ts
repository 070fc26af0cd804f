/** A form's fields as its template shows them: label above, help below, what was wrong beside. */

import { type Fields, textOf, textsOf } from './form-fields.ts';
import type { FormInput } from './visit.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Said under the label, where a choice needs it. */
  readonly help?: string;
}

interface FieldOptions {
  /** `text` unless said. `amount` is a number typed as a person does; `choices` are boxes, `radios` one of. */
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'date'
    | 'amount'
    | 'textarea'
    | 'select'
    | 'checkbox'
    | 'choices'
    | 'radios'
    | 'file'
    | 'search'
    | 'hidden';
  readonly help?: string;
  /** The browser lets nothing be sent without it; so never a select of which nothing chosen is a choice. */
  readonly isRequired?: boolean;
  /** False where nobody asks whether it must be filled: a filter, a select whose every option is a choice. */
  readonly saysOptional?: boolean;
  /** What stands there the first time; several for `choices`. */
  readonly value?: string | readonly string[] | null;
  readonly options?: readonly Option[];
  readonly maxLength?: number;
  /** As in `current-password`, `email`, `off`. */
  readonly autocomplete?: string;
  /** The id of a `<datalist>` on the page. */
  readonly list?: string;
  readonly placeholder?: string;
  /** Of a file: `.pdf,image/png`. */
  readonly accept?: string;
  /** In columns of text; the width of the box. */
  readonly size?: number;
  readonly isReadOnly?: boolean;
  /** Where whoever comes to the page begins to type. */
  readonly isFirst?: boolean;
}

export type FieldView = ReturnType<typeof field>;

/**
 * `name` is the form's; `path` in problems is the same. What was typed is kept, save passwords. A page may have several
 * forms: of a field that was not sent, only a box tells something by that, and any other is as it is stored.
 */
export function field(input: FormInput, name: string, label: string, options: FieldOptions = {}) {
  const { type = 'text', value = '' } = options;
  const first = typeof value === 'string' ? [value] : [...(value ?? [])];
  const isBox = type === 'checkbox' || type === 'choices';
  const isSent = input.isSent && (isBox || name in input.fields);
  const chosen = isSent ? textsOf(input.fields, name) : first;
  const shown = type === 'password' ? '' : isSent ? textOf(input.fields, name) : (first[0] ?? '');
  const error = input.problems.find(({ path }) => path === name)?.message ?? null;
  const id = `f-${name.replace(/\W+/g, '-')}`;
  const help = options.help ?? null;
  const described = [help === null ? '' : `${id}-help`, error === null ? '' : `${id}-error`];
  return {
    id,
    name,
    label,
    error,
    help,
    value: shown,
    describedBy: described.filter(Boolean).join(' ') || null,
    isRequired: options.isRequired ?? false,
    saysOptional: !options.isRequired && (options.saysOptional ?? true),
    isReadOnly: options.isReadOnly ?? false,
    isFirst: options.isFirst ?? false,
    inputType: ['amount', 'search', 'date'].includes(type) ? 'text' : type,
    isDay: type === 'date',
    isAmount: type === 'amount',
    isTextarea: type === 'textarea',
    isSelect: type === 'select',
    isCheckbox: type === 'checkbox',
    isChecked: isSent ? shown !== '' : first[0] === 'on',
    isGroup: type === 'choices' || type === 'radios',
    isHidden: type === 'hidden',
    groupType: type === 'radios' ? 'radio' : 'checkbox',
    options: (options.options ?? []).map((option, index) => ({
      ...option,
      help: option.help ?? null,
      id: `${id}-${index}`,
      isChosen: chosen.includes(option.value),
      // Of boxes to tick, any number may be meant.
      isRequired: type === 'radios' && options.isRequired === true,
    })),
    maxLength: options.maxLength ?? null,
    autocomplete: options.autocomplete ?? 'off',
    list: options.list ?? null,
    placeholder: options.placeholder ?? null,
    accept: options.accept ?? null,
    size: options.size ?? null,
  };
}

/** The fields of a row of a form, which is the one at `index`: `rows[2].amount`. */
export const cellsOf =
  ({ problems }: FormInput, row: Fields, index: number) =>
  (name: string, label: string, options: FieldOptions = {}): FieldView => {
    const path = `rows[${index}].${name}`;
    return field(
      { fields: { [path]: textOf(row, name) }, problems, isSent: true },
      path,
      label,
      options,
    );
  };

/** What was wrong that stands at none of the page's fields: shown above the form. */
export function problemsAbove(input: FormInput, shownPaths: readonly string[]): string[] {
  return input.problems
    .filter(({ path }) => !shownPaths.includes(path))
    .map(({ message }) => message);
}

/** The fields of a form by name, and what must be said above them. */
export function formOf<Names extends string>(
  input: FormInput,
  fields: Readonly<Record<Names, FieldView>>,
): {
  readonly fields: Readonly<Record<Names, FieldView>>;
  readonly above: string[];
  readonly faults: number;
} {
  const names = Object.values<FieldView>(fields).map(({ name }) => name);
  return { fields, above: problemsAbove(input, names), faults: input.problems.length };
}
