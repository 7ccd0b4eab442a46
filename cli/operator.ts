import { userInfo } from "node:os";
import { type Actor } from "~/domain/audit/audit.service.server";

/** The option by which a command learns who runs it. */
export const OPERATOR = ["--operator <name>", "who runs the command; kept in the audit trail"] as const;

/** The same for commands that work without it, such as in scripts. */
export const OPERATOR_OR_LOGIN = [OPERATOR[0], `${OPERATOR[1]}, otherwise your login on this machine`] as const;

/** Returns the login of whoever runs the command, also behind sudo. */
function loginName(): string {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // a container can run as a number that has no name
  }
}

/** Returns the actor of the audit trail for an operator, or for the login when no operator is named. Throws an Error when the name is empty. */
export async function operatorActor(operator = loginName()): Promise<Actor> {
  if (operator.trim() === "") throw new Error("--operator must not be empty.");
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  return systemActor(`command line (${operator})`);
}
