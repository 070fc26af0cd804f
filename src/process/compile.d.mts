export const program: string;
export function findCompiled(home?: string): string | undefined;
export function compileProgram(node: string, home?: string): string | undefined;
