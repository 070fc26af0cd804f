import type { Examples } from './example.ts';

export const examples: Examples = {};
