/** The codes of what happens between the agents of a cluster. */

export const CLUSTER_ERRORS = {
  CLUSTER_ANSWER_DAMAGED: {
    retry: "never",
    meaning: "What another agent has answered cannot be read.",
    remedy: "Run the same version of Trobar everywhere, or ask that agent itself.",
  },
  CLUSTER_ANSWER_MISSING: {
    retry: "later",
    meaning: "An agent that may have the page, or know of it, has not answered.",
    remedy:
      "Ask again when it is back. If it is lost, the others fetch its pages again once it is given up.",
  },
  CLUSTER_CAPACITY_FIXED: {
    retry: "never",
    meaning: "An agent was started with another capacity than the one it has in its cluster.",
    remedy: "Start it with the capacity that the message names, or with another id.",
  },
  CLUSTER_CONFIGURATION_TOO_LONG: {
    retry: "never",
    meaning: "The configuration of a crawl is too long to be told to other agents.",
    remedy: "Shorten its longest lists and texts, such as `politeness.blockHosts`.",
  },
  CLUSTER_CONFIGURATION_UNREADABLE: {
    retry: "never",
    meaning: "The configuration that the agents of a crawl share cannot be read by this version.",
    remedy: "Run the same version of Trobar everywhere.",
  },
  CLUSTER_CRAWL_DIFFERS: {
    retry: "never",
    meaning:
      "Agents of two crawls are in one mesh, or on the same servers under one name; neither heeds the other.",
    remedy:
      "If they are to share one crawl, start those of one side with empty directories and `--join`; else give each crawl a token of its own, or with `--nats` a name.",
  },
  CLUSTER_ENDED: {
    retry: "never",
    meaning:
      "A crawl had ended, and all its agents with it, before an agent with an empty disk could join.",
    remedy:
      "Nothing, or start agents that have directories of the crawl, to go on with it. The agent that came too late ends, or with `--stay` waits.",
  },
  CLUSTER_FENCED: {
    retry: "later",
    meaning: "An agent does not hear a majority of its cluster, and fetches nothing meanwhile.",
    remedy:
      "Mend the network, or start the missing agents. If they are lost for good, forget them one by one.",
  },
  CLUSTER_FORGET_REFUSED: {
    retry: "later",
    meaning: "An agent was not given up by command, because it is not known or not dead.",
    remedy: "Wait until it has been silent for cluster.deadAfter at every agent.",
  },
  CLUSTER_ID_IN_USE: {
    retry: "never",
    meaning: "Another process of the cluster has the id of this agent.",
    remedy: "Stop that process, or start this one with another id.",
  },
  CLUSTER_ID_USED_UP: {
    retry: "never",
    meaning: "An agent of the cluster names a disk of this agent after which no other can come.",
    remedy: "Start this agent with another id, and look for the one that says so: it is broken.",
  },
  CLUSTER_MESH_FAILED: {
    retry: "later",
    meaning: "The nats-server through which an agent reaches the others could not be started.",
    remedy:
      "The message has what the server says; its log is in the folder mesh of the crawl directory.",
  },
  CLUSTER_PART_CRAWL: {
    retry: "never",
    meaning: "A crawl of a single agent was to go on in the directory of an agent of a cluster.",
    remedy: "Go on with it by `trobar agent`, or name another directory for the crawl.",
  },
  CLUSTER_PEER_INVALID: {
    retry: "never",
    meaning:
      "Something else than the mesh of an agent listens at an address that an agent was to join.",
    remedy: "Join the address at which an agent listens for others; its terminal shows it.",
  },
  CLUSTER_PEER_SILENT: {
    retry: "later",
    meaning: "Nobody answers at an address that an agent was to join; it tries again.",
    remedy: "Start the agent there, let it listen for other machines, or open the firewall.",
  },
  CLUSTER_PORT_IN_USE: {
    retry: "later",
    meaning: "Another process listens where other agents were to reach this one.",
    remedy: "Stop that process, or choose another port with --listen.",
  },
  CLUSTER_REBUILD_REFUSED: {
    retry: "never",
    meaning: "The directory of an agent of a cluster was to be rebuilt.",
    remedy:
      "Put the directory aside, and start the agent with an empty one and `--join`: its pages are fetched again.",
  },
  CLUSTER_SEEDS_DAMAGED: {
    retry: "never",
    meaning: "A part of the seeds that an agent holds can no longer be read from its disk.",
    remedy:
      "Check the disk. Seeds that another agent holds come again from there; if there is none, give them again.",
  },
  CLUSTER_SERVER_MISSING: {
    retry: "never",
    meaning: "An agent of a cluster needs nats-server, which is not installed or too old.",
    remedy: "Install it as the message says, or name existing servers with cluster.nats.",
  },
  CLUSTER_SETTING_LOST: {
    retry: "later",
    meaning: "The configuration was changed by another agent at the same moment.",
    remedy: "Look at the configuration, and make the change again.",
  },
  CLUSTER_SETTING_REFUSED: {
    retry: "never",
    meaning: "A change of the configuration that all agents share cannot be made in this one.",
    remedy: "Give the key a value that all agents can take, with `trobar set`.",
  },
  CLUSTER_SETTINGS_DIFFER: {
    retry: "never",
    meaning:
      "An agent that came back was started with other settings than all agents share by now.",
    remedy:
      "Change them for all with `trobar set`, or by starting the agent with `--change`; or in what starts it.",
  },
  CLUSTER_STATE_DAMAGED: {
    retry: "never",
    meaning: "The file in which an agent keeps what it knows of its cluster cannot be used.",
    remedy: "Remove the directory of this agent and let it join again with an empty one.",
  },
  CLUSTER_STATE_VERSION: {
    retry: "never",
    meaning: "What an agent keeps of its cluster was written by another version of Trobar.",
    remedy: "Go on with the version that wrote it; nothing was changed.",
  },
  CLUSTER_TOKEN_INVALID: {
    retry: "never",
    meaning: "A join token cannot be used; the message lists everything that is wrong with it.",
    remedy: "Make one with `trobar peers token`, and give all agents a copy of that file.",
  },
  CLUSTER_TOKEN_READABLE: {
    retry: "never",
    meaning:
      "Other users of the machine can read or change the join token that an agent was given; it goes on.",
    remedy:
      "Run `chmod 600` on the file. If somebody may have seen it, start all agents with a new one.",
  },
  CLUSTER_TOKEN_REFUSED: {
    retry: "never",
    meaning: "An agent and the server that it was to join have different join tokens.",
    remedy:
      "Write the token of an agent there to a file with `trobar peers token`, and give it with --token.",
  },
  CLUSTER_UNMET: {
    retry: "later",
    meaning: "An agent was stopped before it had met the others of its crawl.",
    remedy: "Start it again when they can be reached.",
  },
  CLUSTER_VERSION_DIFFERS: {
    retry: "later",
    meaning:
      "An agent speaks another major version of the messages between agents, so neither understands the other.",
    remedy:
      "Stop all agents of the crawl, then start all with one version. An agent that starts waits until no other version is heard.",
  },
  CLUSTER_WAITING: {
    retry: "later",
    meaning: "An agent with an empty disk finds nobody who has taken part in the crawl.",
    remedy: "Start an agent that has; this one goes on by itself then.",
  },
  CLUSTER_WHOLE_CRAWL: {
    retry: "never",
    meaning: "An agent of a cluster was to go on with the crawl of a single agent.",
    remedy: "Go on with it by `trobar crawl`, or name another directory for the agent.",
  },
} as const;
