/** All templates. Each is a function that returns the message for its data. */
export * from "./accounts.server";
export * from "./authorisation.server";
export * from "./certificates.server";
export * from "./code-orders.server";
export * from "./companies.server";
export * from "./email-change.server";
export * from "./factors.server";
export * from "./invoices.server";
export * from "./keys.server";
export * from "./locks.server";
export * from "./new-login.server";
export * from "./orders.server";
export * from "./personal-data.server";
export * from "./recovery.server";
export * from "./rights.server";
export * from "./reminders.server";
export * from "./security.server";
