import { type Actor } from "~/domain/audit/audit.service.server";

/** The option by which a command learns who runs it. */
export const OPERATOR = ["--operator <name>", "who runs the command; kept in the audit trail"] as const;

/** Returns the actor of the audit trail for an operator. Throws an Error when the name is empty. */
export async function operatorActor(operator: string): Promise<Actor> {
  if (operator.trim() === "") throw new Error("--operator must not be empty.");
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  return systemActor(`command line (${operator})`);
}
