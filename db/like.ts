/** Returns the text with `%`, `_` and the escape character escaped for a LIKE pattern. Use it with `escape '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
