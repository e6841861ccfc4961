/** The codes of what a user wrote: configuration, filters, scores, arguments. */

export const USER_ERRORS = {
  CONFIG_AGENT_KEY: {
    retry: "never",
    meaning: "A crawl by a single agent was given settings that only agents of a cluster use.",
    remedy: "Leave them out, or start an agent with `trobar agent`.",
  },
  CONFIG_BAD_VALUE: {
    retry: "never",
    meaning: "A configuration key was given a value that it cannot have.",
    remedy: "Write one of the legal values that the message names.",
  },
  CONFIG_CONFLICT: {
    retry: "never",
    meaning: "Two configuration keys have values that contradict each other.",
    remedy: "Change one of the keys that the message names.",
  },
  CONFIG_DUPLICATE_KEY: {
    retry: "never",
    meaning: "One source gives the same configuration key twice.",
    remedy: "Remove one of the two; the message says where the first one is.",
  },
  CONFIG_FILE_TOO_LARGE: {
    retry: "never",
    meaning: "A configuration file is larger than the limit.",
    remedy: "Keep only settings in it; long lists of seeds belong in a file for --seeds.",
  },
  CONFIG_FILE_UNREADABLE: {
    retry: "never",
    meaning: "A file named in the configuration or on the command line could not be read.",
    remedy: "Check the path and the permissions; the message has the system's reason.",
  },
  CONFIG_FIXED_KEY: {
    retry: "never",
    meaning: "A different value was given for a key that cannot change during the life of a crawl.",
    remedy: "Keep the crawl's value, or start over in another directory or with --fresh.",
  },
  CONFIG_INVALID: {
    retry: "never",
    meaning: "The configuration has mistakes; the message lists every one of them.",
    remedy: "Correct them; `trobar inspect config` shows the result without crawling.",
  },
  CONFIG_SHARED_KEY: {
    retry: "never",
    meaning: "An agent that joins a cluster has a different value for a key that all share.",
    remedy: "Leave the key out: a joiner takes the cluster's value and sets local keys only.",
  },
  CONFIG_SYNTAX: {
    retry: "never",
    meaning: "A configuration source is not well formed, so its keys could not be read.",
    remedy: "Correct the file at the line and column that the message names.",
  },
  CONFIG_UNKNOWN_KEY: {
    retry: "never",
    meaning: "A configuration source names a key that does not exist.",
    remedy: "Use the name that the message suggests, or look it up in docs/configuration.md.",
  },
  FILTER_ATOM_FAILED: {
    retry: "never",
    meaning:
      "An atom from a user's module threw, or returned neither true nor false; the filter refused.",
    remedy: "Correct the module that the message names: its atom must return true or false.",
  },
  FILTER_INVALID: {
    retry: "never",
    meaning: "A filter could not be loaded: its text, an atom or an argument is wrong.",
    remedy:
      "Correct each place that the message points to; `trobar inspect filter` shows how a filter is understood.",
  },
  HANDLER_FAILED: {
    retry: "never",
    meaning: "The handler of a program that uses the library threw, or its promise was rejected.",
    remedy: "The message names the page, and the cause has the handler's own error.",
  },
  PARSE_PARSER_UNKNOWN: {
    retry: "never",
    meaning: "The configuration names a parser that does not exist and was not loaded as a module.",
    remedy: "Correct the name in parse.parsers; the message lists the parsers that exist.",
  },
  STORE_INVALID: {
    retry: "never",
    meaning: "The module that store.kind names cannot be loaded, or does not export createStore.",
    remedy: "The message says what is wrong; docs/stores.md describes stores.",
  },
  PROTOCOL_INVALID: {
    retry: "never",
    meaning:
      "A module that fetch.protocols names could not be loaded, or is not a protocol module.",
    remedy:
      "Correct the path or the module; docs/protocol-modules.md says what a protocol module is.",
  },
  SCORE_FAILED: {
    retry: "never",
    meaning: "A user's score threw, or did not return a finite number; the link has priority 0.",
    remedy:
      "Correct the module that the message names: priorityOf must return a finite number and not throw.",
  },
  SCORE_INVALID: {
    retry: "never",
    meaning: "The module that frontier.score names could not be loaded, or is not a score.",
    remedy: "Correct the path or the module; docs/traversal.md says what a score is.",
  },
  SIMWEB_LISTEN_FAILED: {
    retry: "never",
    meaning: "The synthetic web, its name server or its control port could not listen on loopback.",
    remedy:
      "Choose another port, or 0 for any that is free; the message names the address and the cause.",
  },
  TOPOLOGY_BINDING: {
    retry: "never",
    meaning: "In a topology, something is bound twice or not at all, or two things have one id.",
    remedy: "Bind every role of a unit once, and every connector at both ends.",
  },
  TOPOLOGY_CIRCLE: {
    retry: "never",
    meaning: "Providers of a topology use one another in a circle.",
    remedy: "Take one of them out of the circle that the message shows.",
  },
  TOPOLOGY_INVALID: {
    retry: "never",
    meaning: "A topology has mistakes; the message lists every one of them.",
    remedy: "Correct each of them; nothing was started.",
  },
  TOPOLOGY_ITEM_LOST: {
    retry: "never",
    meaning:
      "An item did not get through a connector to another process: it could not be written, was too large, or its log is damaged.",
    remedy:
      "The message has the reason: mend the codec of its type, make items smaller, check the disk.",
  },
  TOPOLOGY_ITEM_MALFORMED: {
    retry: "never",
    meaning: "Bytes that arrived through a connector are not an item of its type.",
    remedy: "Run the same version at both ends, and declare the same type of items there.",
  },
  TOPOLOGY_REFUSED: {
    retry: "never",
    meaning: "A running topology was asked for a change that it cannot make.",
    remedy: "The message says why; nothing was changed.",
  },
  TOPOLOGY_REMOTE_AWAY: {
    retry: "later",
    meaning: "The other side of a remote connector does not answer, or refuses what is sent.",
    remedy: "Start the process there, or correct the topology; items wait on disk meanwhile.",
  },
  TOPOLOGY_STALLED: {
    retry: "never",
    meaning:
      "A topology stands still: its process has nothing left to do, but components have not finished.",
    remedy:
      "The message names them. Let go of what is held, settle every promise, and call `finish` in a source and in one component of each circle.",
  },
  TOPOLOGY_SYNTAX: {
    retry: "never",
    meaning: "A part of a topology is missing, given twice, or not of the form that it must have.",
    remedy: "Write it as the message says; the place is in front of it.",
  },
  TOPOLOGY_THREAD_ENDED: {
    retry: "never",
    meaning: "A thread on which components of a topology run has ended by itself.",
    remedy: "The message has the cause; if memory ran out, give the process more.",
  },
  TOPOLOGY_THREAD_STUCK: {
    retry: "never",
    meaning: "A thread on which components of a topology run does not answer: a unit never pauses.",
    remedy: "Let the unit do its work in pieces. Closing the topology ends the thread.",
  },
  TOPOLOGY_TYPE: {
    retry: "never",
    meaning: "What is bound together in a topology does not fit.",
    remedy: "Bind ends of the same type of items, and providers to the role that they provide.",
  },
  TOPOLOGY_UNKNOWN: {
    retry: "never",
    meaning: "A topology names a unit, connector, provider, type or role that does not exist.",
    remedy: "Correct the name, or add the module that declares it under `use`.",
  },
  TRANSPORT_CALLER_REFUSED: {
    retry: "never",
    meaning:
      "Connections to a process were cut off: they sent something else, were too slow, read no replies, or were too many.",
    remedy: "Let only processes of the topology connect to its addresses.",
  },
  TRANSPORT_CONNECT_FAILED: {
    retry: "later",
    meaning: "No NATS server can be reached, or one takes only shorter messages than agents send.",
    remedy: "Start the server, mend its URL, or raise its max_payload; the message says which.",
  },
  TRANSPORT_LISTEN_FAILED: {
    retry: "never",
    meaning: "A process could not listen at the address at which others are to reach it.",
    remedy: "Choose a free port of a loopback address; the message has the system's error.",
  },
  TRANSPORT_LOGIN_REFUSED: {
    retry: "never",
    meaning:
      "A NATS server wants another name, password or token, or forbids this agent the subjects of agents.",
    remedy:
      "Give them in the URLs of cluster.nats; let that user publish and subscribe to trobar.> there.",
  },
  USAGE_BAD_ARGUMENT: {
    retry: "never",
    meaning: "A command was given an argument that it does not take, or lacks one that it needs.",
    remedy: "Look at the usage line of `trobar help COMMAND`.",
  },
  USAGE_BAD_FIELD: {
    retry: "never",
    meaning: "A program gave a page a field that its row cannot have.",
    remedy:
      "Give fields of your own names, with values that JSON has; for CSV name them in `fields`.",
  },
  USAGE_BAD_FLAG_VALUE: {
    retry: "never",
    meaning: "A flag lacks its value, or was given one although it takes none.",
    remedy: "Look at the flags of `trobar help COMMAND`.",
  },
  USAGE_BAD_SELECTOR: {
    retry: "never",
    meaning:
      "A field to be taken out of pages has a bad name, or what follows is not a CSS selector.",
    remedy: "Write NAME=SELECTOR, such as price=.price; the message has the reason.",
  },
  USAGE_DECLINED: {
    retry: "never",
    meaning: "A question was not answered with yes, so nothing was done.",
    remedy: "Answer yes, or give --yes to skip the question.",
  },
  USAGE_NOT_BUILT: {
    retry: "never",
    meaning: "The command belongs to Trobar but is not part of this version yet.",
    remedy: "`trobar --help` lists what works today.",
  },
  USAGE_NO_SEEDS: {
    retry: "never",
    meaning: "A crawl was started without a seed.",
    remedy: "Name a URL, or a file of URLs with --seeds.",
  },
  USAGE_PAGE_OVER: {
    retry: "never",
    meaning: "A program asked for the content of a page that it had already let go of.",
    remedy:
      "Read body, content or $ before the handler returns, or before the next page of the loop.",
  },
  USAGE_PROCESS_LIMIT: {
    retry: "never",
    meaning: "The process may open too few files, or use too little memory, for any crawl.",
    remedy: "Raise the limit to what the message names.",
  },
  USAGE_UNKNOWN_COMMAND: {
    retry: "never",
    meaning: "There is no command of this name.",
    remedy: "Use the name that the message suggests; `trobar --help` lists them all.",
  },
  USAGE_UNKNOWN_FLAG: {
    retry: "never",
    meaning: "The command has no flag of this name.",
    remedy: "Use the name that the message suggests; `trobar help COMMAND` lists them all.",
  },
} as const;
