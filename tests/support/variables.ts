/** Lets the portal see the variables anew, as after a restart. */
export function setVariable(name: string, value: string): void {
  process.env[name] = value;
  Reflect.deleteProperty(globalThis, "__marqueEnv");
}
