/** Pages as tests read them. */

/** The value of a hidden field. */
export const hiddenOf = (html: string, name: string): string =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** What a page says, without its markup, in single spaces. */
export const textOfPage = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/[\s\u00a0]+/g, ' ');

/** What stands beside a field as wrong; undefined when nothing does. */
export const errorAt = (html: string, name: string): string | undefined =>
  new RegExp(`id="f-${name.replace(/\W+/g, '-')}-error">([^<]*)<`).exec(html)?.[1];

/** Markup, formulas, marks that turn the text, and a word without an end. */
export const hostile = `<script>alert(1)</script> "'><img src=x onerror=alert(2)> \u202eabc ${'w'.repeat(60)}`;
