import { defineList, oneOf, type ParamsOf, typedTexts } from "~/lib/list-params";
import { staffPaths } from "~/lib/staff-paths";
import { SECURITY_EVENTS, type SecurityEventName } from "./events";

/** The typed fields of the search form. Their values are kept as typed. */
export const TYPED_EVENT_FIELDS = ["user", "address", "from", "to"] as const;
export type EventField = (typeof TYPED_EVENT_FIELDS)[number] | "event";

export const securityEventList = defineList({
  path: staffPaths.securityEvents,
  sorts: ["recorded"],
  first: { key: "recorded", direction: "desc" },
  filters: {
    event: oneOf(Object.keys(SECURITY_EVENTS) as SecurityEventName[]),
    ...typedTexts(TYPED_EVENT_FIELDS),
  },
});

export type EventListParams = ParamsOf<typeof securityEventList>;
