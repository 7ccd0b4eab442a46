import { expect, test } from "vitest";
import { mergeForm, withOpened } from "~/domain/merge-form.server";

const RULES = {
  labels: { name: "Name", types: "Types", useCompany: "Use company address", "address.city": "City" },
  version: "version",
  joined: [{ names: ["useCompany", "address.city"], instead: "useCompany" }],
  boxes: ["types", "useCompany"],
};
const values = (change: object = {}) => ({
  version: "1",
  name: "A",
  types: ["b", "a"],
  useCompany: false,
  address: { city: "York" },
  ...change,
});

/** Merges a form that was opened with `values()` and is sent with these fields. Returns the result. */
function merge(typed: Record<string, string | string[]>, stored: object) {
  const form = new FormData();
  const sent = { opened: withOpened(values()).opened, name: "A", types: ["a", "b"], "address.city": "York", ...typed };
  for (const [name, texts] of Object.entries(sent)) for (const text of [texts].flat()) form.append(name, text);
  const merged = mergeForm(form, values({ version: "2", ...stored }), RULES);
  return { ...merged, names: [...merged.form.keys()], text: (name: string) => merged.form.get(name) };
}

test("[COD-06] unchanged ticks are equal in any order, and a tick that only the other user removed is not sent", () => {
  expect(merge({ name: "Mine" }, {})).toMatchObject({ taken: [], collisions: {} });
  const { taken, collisions, names, text } = merge({ name: "Mine" }, { types: [] });
  expect([taken, collisions, names.includes("types"), text("name")]).toEqual([["Types"], {}, false, "Mine"]);
});

test("[COD-06] an address that one user replaced and the other changed is reported at the tick box", () => {
  expect(merge({ useCompany: "on" }, { address: { city: "Hull" } }).collisions).toEqual({
    useCompany: "This was changed meanwhile. Stored now: 'Hull'. Your entry is kept.",
  });
  expect(merge({ "address.city": "Leeds" }, { useCompany: true, address: {} }).collisions).toEqual({
    useCompany: "This was changed meanwhile. Stored now: ticked. Your entry is kept.",
  });
});

test.each(["", "x", "bnVsbA", "WzFd"])("[COD-06] with opened=%o every difference is asked about", (opened) => {
  expect(Object.keys(merge({ opened, name: "Mine" }, { address: { city: "Hull" } }).collisions)).toEqual([
    "name",
    "address.city",
  ]);
});
