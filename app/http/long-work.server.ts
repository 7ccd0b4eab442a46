import { redirect, type TypedResponse } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type LongWork, runLongWork } from "~/domain/jobs/long-work.service.server";
import { staffPaths } from "~/lib/staff-paths";

/** Does work that can take long and answers with its result. When it takes long, redirects (303) to the page that shows how far it is. */
export async function answerLongWork<Result, Answer extends Response>(
  user: SessionUser,
  work: LongWork<Result>,
  answer: (result: Result) => Answer | Promise<Answer>,
): Promise<Answer | TypedResponse<never>> {
  const run = await runLongWork(user.id, work);
  return "id" in run ? redirect(staffPaths.longWork(run.id), 303) : answer(run.result);
}
