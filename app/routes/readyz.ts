import { checkReadiness } from "~/domain/jobs/readiness.service.server";

/** Answers 200 when everything can be read, stored and signed, otherwise 503 with what cannot. */
export async function loader() {
  const problems = await checkReadiness();
  const text = problems.length === 0 ? "ok\n" : `${problems.join("\n")}\n`;
  return new Response(text, {
    status: problems.length === 0 ? 200 : 503,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
