export function entryOf(folder: string | undefined, name?: 'huvudbok' | 'http'): string;
export function findCompiled(home?: string): string | undefined;
export function compileProgram(node: string, home?: string): string | undefined;
