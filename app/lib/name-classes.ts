/**
 * The classes of names that no certificate contains unless `names.allow` lists them (docs/decisions/0082), each with the words by which
 * documents call them.
 */
export const NAME_CLASSES = {
  "special-use": "special-use names such as localhost, invalid and onion",
  internal:
    "internal names such as those below local, internal and home.arpa, or below a top-level domain that does not exist",
  "single-label": "host names of a single label",
  "public-suffix": "public suffixes and wildcards directly below them",
  "private-address": "private and shared IP addresses",
  "special-address": "loopback, link-local, multicast and other special-purpose IP addresses",
  documentation: "names and addresses that are reserved for documentation and tests",
} as const;

export type NameClass = keyof typeof NAME_CLASSES;

export const NAME_CLASS_NAMES = Object.keys(NAME_CLASSES) as [NameClass, ...NameClass[]];
