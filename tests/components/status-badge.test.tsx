import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Status, StatusBadge, statusTones } from "~/components/ui/status-badge";

test.each([
  ["ok", ["Issued", "Downloaded", "Registered", "Paid", "Active", "Confirmed", "Unused", "Delivered"]],
  ["info", ["Pending", "Open", "Invoiced", "Used", "Waiting"]],
  ["warn", ["RequestRevoke", "Locked", "Failing", "Paused", "No valid secret", "No scope"]],
  ["bad", ["Revoked", "Rejected", "Disabled", "Given up"]],
  ["mute", ["Expired", "Ended", "Renewed", "Cancelled", "Unknown", "Merged", "Withdrawn", "Held", "Erased"]],
])("the tone %s is used for %j", (tone, statuses) => {
  const shown = Object.keys(statusTones).filter((status) => statusTones[status as Status] === tone);
  expect(shown.toSorted()).toEqual(statuses.toSorted());
});

test("a badge shows its status as text", () => {
  expect(renderToStaticMarkup(<StatusBadge status="Revoked" />)).toBe('<span class="tag bad">Revoked</span>');
});
