/** The door for those who only want a model: the provider that the environment names, behind the ports of the engine and of the agent. */
export type { AgentModel } from './model/port.ts'
