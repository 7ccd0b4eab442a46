import { OTHER_NOTE, type StaffCheck } from "~/domain/certificates/queue/queue-fields";

/** Returns the fields of the form that records checks of an order with typed notes, by check. */
export const checkForm = (notes: Partial<Record<StaffCheck, string>>): Record<string, string> => ({
  intent: "record",
  ...Object.fromEntries(
    Object.entries(notes).flatMap(([check, note]) => [
      [check, OTHER_NOTE],
      [`${check}Note`, note],
    ]),
  ),
});
