import { getConfig } from "./config.server";
import { getEnv } from "./env.server";
import { type NameClass } from "./name-classes";

/**
 * Returns the classes of names that this portal certifies although they are refused by default: those of `names.allow`. A trial also
 * certifies names for documentation and tests, so that examples work.
 */
export function allowedNames(): NameClass[] {
  const { allow } = getConfig().names;
  return getEnv().isForRealUse ? [...allow] : [...new Set<NameClass>([...allow, "documentation"])];
}
