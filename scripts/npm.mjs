// What a program that npm runs has to know about npm.
import process from "node:process";

/** npm passes on every signal but SIGKILL. When npm has been killed, this process, which runs `script`, stops as if it had received SIGTERM. */
export function stopWithNpm(script) {
  if (process.env.npm_lifecycle_event !== script) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}
