/** Every template: a function from its data to the message. */
export * from "./accounts.server";
export * from "./certificates.server";
export * from "./code-orders.server";
export * from "./email-change.server";
export * from "./invoices.server";
export * from "./keys.server";
export * from "./locks.server";
export * from "./orders.server";
export * from "./recovery.server";
export * from "./reminders.server";
