// The demo: an app's main job, read through Masthead's public products.
//
//     script/demo                 a walk through it
//     script/demo --check         the same, compared fact by fact
//     script/demo --help          what else it can do

import FoundationEssentials
import Glibc

do {
    let variables = ProcessInfo.processInfo.environment
    let options = try Options.parse(Array(CommandLine.arguments.dropFirst()), variables: variables)
    let run = Task { await Demo(options: options, terminal: Terminal(plain: options.isCheck)).run() }
    // An interrupt ends the walk, so that it can clear up; a second one ends the process.
    Interrupt.onFirst { run.cancel() }
    exit(await run.value)
} catch {
    Terminal(plain: true).line("masthead-demo: \(error.message)\n\n\(Options.usage)")
    exit(2)
}
